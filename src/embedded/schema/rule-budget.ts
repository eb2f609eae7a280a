/** What the rules about one object may cost. Models apiserver pkg/apis/cel/config.go RuntimeCELCostBudget */
const budget = 10_000_000;

/** What is left for the rules about one object. Once it is over, no rule is evaluated any more. */
export class RuleBudget {
  #remaining: number;

  constructor(remaining = budget) {
    this.#remaining = remaining;
  }

  get isOver(): boolean {
    return this.#remaining < 0;
  }

  /** Nothing is left, but no rule was refused yet. */
  get isSpent(): boolean {
    return this.#remaining === 0;
  }

  /** Takes the cost of an evaluation; false when there was less left. Then the budget is over. */
  take(cost: number): boolean {
    this.#remaining = cost > this.#remaining ? -1 : this.#remaining - cost;
    return !this.isOver;
  }

  /** A budget with as much left. */
  copy(): RuleBudget {
    return new RuleBudget(this.#remaining);
  }

  /** Leaves what the scarcest of these budgets has left. */
  lowerTo(...budgets: readonly RuleBudget[]): void {
    this.#remaining = Math.min(this.#remaining, ...budgets.map((each) => each.#remaining));
  }

  end(): void {
    this.#remaining = -1;
  }
}

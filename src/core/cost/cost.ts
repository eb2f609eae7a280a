/** Work that exceeded one of its limits. */
export class LimitError extends Error {
  /** Whether the message says where in the input. */
  readonly isLocated: boolean;

  constructor(message: string, { isLocated = false }: { readonly isLocated?: boolean } = {}) {
    super(message);
    this.name = "LimitError";
    this.isLocated = isLocated;
  }
}

/** What work may cost. */
export type CostLimits = {
  /** About how many bytes it may make, or characters and parts of values look at. What is freed again is not given back. Default: `defaultCost`. */
  readonly cost?: number;
  /** Asked now and then; true stops the work. Default: never. */
  readonly outOfTime?: () => boolean;
  /** Charges what only takes time as well. Without it the clock alone limits that: for somebody's own work, which nobody waits behind. Default: true. */
  readonly chargesTime?: boolean;
};

/** Nine times what the most expensive of 455 renders of public charts costs. */
const defaultCost = 2 ** 29;

/** What is charged between two looks at the clock: some milliseconds' worth. */
const costBetweenChecks = 2 ** 20;

const unlimited = { left: Infinity, checkAt: -Infinity, limit: Infinity, outOfTime: (): boolean => false, chargesTime: true };

/** The budget of the work that runs. There is one, because such work runs to completion, and because hot paths need it at a fixed place. */
let budget = { ...unlimited };

/** Runs work within limits. Work inside of other work is charged to that. Throws a LimitError. */
export function withinCost<Result>(
  { cost = defaultCost, outOfTime = unlimited.outOfTime, chargesTime = true }: CostLimits,
  work: () => Result,
): Result {
  if (budget.left !== Infinity) return work();
  budget = { left: cost, checkAt: cost - costBetweenChecks, limit: cost, outOfTime, chargesTime };
  try {
    return work();
  } finally {
    budget = { ...unlimited };
  }
}

/** Charges the work that runs, before it is done. Throws a LimitError when that is more than is left. Outside of limits it does nothing. */
export function charge(cost: number): void {
  budget.left -= cost;
  if (budget.left < budget.checkAt) check();
}

/** Charges work that takes long and makes little, before it is done, and looks at the clock. */
export function chargeTime(cost: number): void {
  if (budget.chargesTime) charge(cost);
  if (budget.outOfTime()) throw new LimitError("takes longer than allowed");
}

/** Charges a search for a part of a text: in the worst case, engines compare a long part again at every step. */
export function chargeSearch(text: string, part: string): void {
  if (part.length > 64) charge(text.length * (part.length >> 6));
}

function check(): void {
  // What was refused once is refused for good, whoever catches it.
  if (budget.left < 0) throw new LimitError(`takes more than the ${budget.limit} bytes and steps allowed`);
  budget.checkAt = Math.max(budget.left - costBetweenChecks, 0);
  if (budget.outOfTime()) throw new LimitError("takes longer than allowed");
}

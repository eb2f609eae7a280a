import type { Plan, Step, StepNeed } from "../plan/index.ts";
import type { StepStatus } from "./rollout-status.ts";

/** An open step, and why another one waits for it. */
export type BlockingStep = { readonly id: string; readonly because: string };

const none: readonly BlockingStep[] = [];

/** Indexes for every step of a plan which open steps it waits for. */
export class BlockerIndex {
  readonly #statuses: ReadonlyMap<string, StepStatus>;
  readonly #steps: ReadonlyMap<string, Step>;
  /** Lists are shared between steps with the same needs, so that many-to-many needs stay linear. */
  readonly #before = new Map<string, readonly BlockingStep[]>();

  constructor(plan: Plan, statuses: ReadonlyMap<string, StepStatus>) {
    this.#statuses = statuses;
    this.#steps = new Map(plan.steps.map((step) => [step.id, step]));
    // A plan lists each step after its needs.
    for (const step of plan.steps) this.#before.set(step.id, this.#find(step));
  }

  /** Whether a step has not reached its goal. */
  isOpen({ id, onlyIf }: Step): boolean {
    const status = this.#statuses.get(id);
    return status !== undefined && status.state !== "done" && (onlyIf === undefined || this.#isMet(onlyIf));
  }

  /** The open steps that a step waits for, directly or behind completed ones. */
  before(step: Step): readonly BlockingStep[] {
    return this.#before.get(step.id) ?? none;
  }

  #find({ needs }: Step): readonly BlockingStep[] {
    const lists = needs
      .filter(counts)
      .map((need) => this.#through(need))
      .filter((list) => list.length > 0);
    if (lists.length < 2) return lists[0] ?? none;
    const found = new Map<string, BlockingStep>();
    for (const list of lists) for (const blocker of list) if (!found.has(blocker.id)) found.set(blocker.id, blocker);
    return [...found.values()];
  }

  #through({ id, because, settled }: StepNeed): readonly BlockingStep[] {
    const step = this.#steps.get(id)!;
    if (!this.isOpen(step)) return this.before(step);
    const over = settled === true && this.#statuses.get(id)?.state === "failed";
    if (over) return none;
    // An external wait starts only after the ranks before it.
    const isOutside = step.action.verb === "await" && step.action.external;
    return isOutside ? [{ id, because }, ...this.before(step)] : [{ id, because }];
  }

  #isMet({ id, outcome }: NonNullable<Step["onlyIf"]>): boolean {
    const state = this.#statuses.get(id)?.state ?? "done";
    if (outcome === "unfinished") return state !== "done";
    return outcome === "finished" ? state === "done" : state === "failed";
  }
}

/** The order of requests by kind does not block for long. */
function counts({ settled, implied }: StepNeed): boolean {
  return !(settled === true && implied === true);
}

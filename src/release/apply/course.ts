import type { Plan, Step } from "../plan/index.ts";

/** How a step ended. `passed`: its condition was not met, so there was nothing to do. */
export type StepOutcome = "finished" | "failed" | "skipped" | "passed";

/** Why a step is skipped: what failed first, and why. */
export type Blame = { readonly step: Step; readonly because: string };

/** What is to become of a step whose needs are all over. */
export type Turn =
  | { readonly step: Step; readonly do: "start" | "pass" }
  | { readonly step: Step; readonly do: "skip"; readonly blame: Blame };

/**
 * How far a plan has come: counters of what each step still waits for, so that nothing is looked through twice. A step
 * has its turn when all that it needs is over; it is skipped when something that it needs to succeed did not.
 */
export class Course {
  readonly #steps: readonly Step[];
  readonly #unmet: number[] = [];
  readonly #dependants: { readonly at: number; readonly settled: boolean }[][] = [];
  readonly #place = new Map<string, number>();
  readonly #outcomes: (StepOutcome | undefined)[] = [];
  readonly #blames: (Blame | undefined)[] = [];
  #turns: number[] = [];

  constructor({ steps }: Plan) {
    this.#steps = steps;
    for (const [at, step] of steps.entries()) {
      this.#place.set(step.id, at);
      this.#dependants.push([]);
      this.#unmet.push(step.needs.length);
      this.#outcomes.push(undefined);
      if (step.needs.length === 0) this.#turns.push(at);
    }
    for (const [at, { needs }] of steps.entries()) {
      for (const { id, settled = false } of needs) this.#dependants[this.#place.get(id)!]!.push({ at, settled });
    }
  }

  /** The steps whose turn it is now. Joins are over as soon as it comes; what follows from that comes along. */
  *turns(): Generator<Turn> {
    const turns = this.#turns;
    // Grows while it is walked.
    for (const at of turns) {
      const step = this.#steps[at]!;
      const blame = this.#blames[at];
      if (blame !== undefined) {
        this.#settle(at, "skipped", blame);
        if (step.action.verb !== "join") yield { step, do: "skip", blame };
      } else if (!this.#isWanted(step)) {
        this.#settle(at, "passed");
        if (step.action.verb !== "join") yield { step, do: "pass" };
      } else if (step.action.verb === "join") this.#settle(at, "finished");
      else yield { step, do: "start" };
    }
    this.#turns = [];
  }

  settle(step: Step, outcome: "finished" | "skipped"): void;
  settle(step: Step, outcome: "failed" | "skipped", because: string): void;
  settle(step: Step, outcome: StepOutcome, because = ""): void {
    this.#settle(this.#place.get(step.id)!, outcome, { step, because });
  }

  outcomeOf(id: string): StepOutcome | undefined {
    return this.#outcomes[this.#place.get(id) ?? -1];
  }

  /** What was not begun or not finished. */
  left(): readonly string[] {
    return this.#steps.filter(({ action }, at) => action.verb !== "join" && this.#outcomes[at] === undefined).map(({ id }) => id);
  }

  #settle(at: number, outcome: StepOutcome, blame?: Blame): void {
    this.#outcomes[at] = outcome;
    const bad = outcome === "failed" || outcome === "skipped";
    for (const { at: next, settled } of this.#dependants[at]!) {
      if (bad && !settled) this.#blames[next] ??= blame;
      const unmet = this.#unmet[next]! - 1;
      this.#unmet[next] = unmet;
      if (unmet === 0) this.#turns.push(next);
    }
  }

  #isWanted({ onlyIf }: Step): boolean {
    if (onlyIf === undefined) return true;
    const outcome = this.outcomeOf(onlyIf.id);
    return onlyIf.outcome === "unfinished" ? outcome !== "finished" : outcome === onlyIf.outcome;
  }
}

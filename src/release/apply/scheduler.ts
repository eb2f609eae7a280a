import type { Plan, Step } from "../plan/index.ts";

/** How a step ended. `passed`: its condition was not met, so there was nothing to do. */
type StepOutcome = "finished" | "failed" | "skipped" | "passed";

/** Why a step is skipped: the step that failed first, and its reason. */
export type SkipCause = { readonly step: Step; readonly because: string };

/** A step whose needs have all completed, and what to do with it. */
export type ReadyStep =
  | { readonly step: Step; readonly do: "start" | "pass" }
  | { readonly step: Step; readonly do: "skip"; readonly cause: SkipCause };

/**
 * Tracks which steps of a plan are ready, by a counter of unmet needs per step. A step is ready when all its needs have
 * completed; it is skipped when one that had to succeed did not.
 */
export class Scheduler {
  readonly #steps: readonly Step[];
  readonly #unmet: number[] = [];
  readonly #dependants: { readonly at: number; readonly settled: boolean }[][] = [];
  readonly #indexOf = new Map<string, number>();
  readonly #outcomes: (StepOutcome | undefined)[] = [];
  readonly #causes: (SkipCause | undefined)[] = [];
  #ready: number[] = [];

  constructor({ steps }: Plan) {
    this.#steps = steps;
    for (const [at, step] of steps.entries()) {
      this.#indexOf.set(step.id, at);
      this.#dependants.push([]);
      this.#unmet.push(step.needs.length);
      this.#outcomes.push(undefined);
      if (step.needs.length === 0) this.#ready.push(at);
    }
    for (const [at, { needs }] of steps.entries()) {
      for (const { id, settled = false } of needs) this.#dependants[this.#indexOf.get(id)!]!.push({ at, settled });
    }
  }

  /** The steps that are ready now. Joins complete at once, so steps behind them are included. */
  *readySteps(): Generator<ReadyStep> {
    const ready = this.#ready;
    // Grows during the iteration.
    for (const at of ready) {
      const step = this.#steps[at]!;
      const cause = this.#causes[at];
      if (cause !== undefined) {
        this.#complete(at, "skipped", cause);
        if (step.action.verb !== "join") yield { step, do: "skip", cause };
      } else if (!this.#isWanted(step)) {
        this.#complete(at, "passed");
        if (step.action.verb !== "join") yield { step, do: "pass" };
      } else if (step.action.verb === "join") this.#complete(at, "finished");
      else yield { step, do: "start" };
    }
    this.#ready = [];
  }

  complete(step: Step, outcome: "finished" | "skipped"): void;
  complete(step: Step, outcome: "failed" | "skipped", because: string): void;
  complete(step: Step, outcome: StepOutcome, because = ""): void {
    this.#complete(this.#indexOf.get(step.id)!, outcome, { step, because });
  }

  outcomeOf(id: string): StepOutcome | undefined {
    return this.#outcomes[this.#indexOf.get(id) ?? -1];
  }

  /** The ids of steps that were not started or not finished. */
  left(): readonly string[] {
    return this.#steps.filter(({ action }, at) => action.verb !== "join" && this.#outcomes[at] === undefined).map(({ id }) => id);
  }

  #complete(at: number, outcome: StepOutcome, cause?: SkipCause): void {
    this.#outcomes[at] = outcome;
    const bad = outcome === "failed" || outcome === "skipped";
    for (const { at: next, settled } of this.#dependants[at]!) {
      if (bad && !settled) this.#causes[next] ??= cause;
      const unmet = this.#unmet[next]! - 1;
      this.#unmet[next] = unmet;
      if (unmet === 0) this.#ready.push(next);
    }
  }

  #isWanted({ onlyIf }: Step): boolean {
    if (onlyIf === undefined) return true;
    const outcome = this.outcomeOf(onlyIf.id);
    return onlyIf.outcome === "unfinished" ? outcome !== "finished" : outcome === onlyIf.outcome;
  }
}

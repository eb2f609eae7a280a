import type { Aggregation } from "./aggregation.ts";
import type { MatchFailure, EvaluationResult, Match } from "./evaluation-result.ts";

/** What is known of the selection that a choice is made from. */
export type SelectedMatches = {
  readonly matches: readonly Match[];
  readonly failures: readonly MatchFailure[];
  /** It has changed since the last choice. */
  readonly hasChanged: boolean;
  /** Some of it cannot be read at all. */
  readonly isPartial: boolean;
};

/** The choice that the aggregating script makes among all that the selectors found, and the last good one. */
export class AggregatedSelection {
  readonly #aggregation: Aggregation;
  readonly #hasPrevious: boolean;
  #selected: Pick<EvaluationResult, "matches" | "message">;
  #hasRun = false;
  #failure: readonly MatchFailure[] = [];

  /** `last` is what was chosen when somebody looked last. */
  constructor(aggregate: Aggregation, last: readonly Match[]) {
    this.#aggregation = aggregate;
    this.#selected = { matches: last, message: "" };
    this.#hasPrevious = last.length > 0;
  }

  /**
   * A choice that fails leaves the last one as it was. So does one that would be made on too little: where a kind cannot
   * be read, or where, before our first choice, there are objects that could not be judged and were, perhaps, last time.
   */
  select({ matches, failures, hasChanged, isPartial }: SelectedMatches): EvaluationResult {
    const isUnsure = !this.#hasRun && this.#hasPrevious && failures.some(({ effect }) => effect === "kept");
    if (isPartial || isUnsure) return { ...this.#selected, failures };
    if (hasChanged) this.#run(matches);
    return { ...this.#selected, failures: [...failures, ...this.#failure] };
  }

  #run(matches: readonly Match[]): void {
    const choice = this.#aggregation(matches.flatMap(({ object }) => (object === undefined ? [] : [object])));
    if ("failed" in choice) {
      this.#failure = [{ reason: choice.failed, effect: "kept" }];
      return;
    }
    this.#failure = [];
    this.#hasRun = true;
    this.#selected = choice;
  }
}

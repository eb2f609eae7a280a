import type { Aggregation } from "./aggregation.ts";
import type { MatchFailure, EvaluationResult, Match } from "./evaluation-result.ts";

/** What the selectors matched: the input of the aggregating script. */
type SelectedMatches = {
  readonly matches: readonly Match[];
  readonly failures: readonly MatchFailure[];
  /** The matches have changed since the last run of the script. */
  readonly hasChanged: boolean;
  /** Objects of some kind cannot be read. */
  readonly isPartial: boolean;
};

/** The matches that the script of `aggregatedSelection` selects, from its last successful run. */
export class AggregatedSelection {
  readonly #aggregation: Aggregation;
  readonly #hasPrevious: boolean;
  #selected: Pick<EvaluationResult, "matches" | "message">;
  #hasRun = false;
  #failure: readonly MatchFailure[] = [];

  /** `last`: the matches of the last report, which hold until the first run. */
  constructor(aggregation: Aggregation, last: readonly Match[]) {
    this.#aggregation = aggregation;
    this.#selected = { matches: last, message: "" };
    this.#hasPrevious = last.length > 0;
  }

  /**
   * Runs the script if its input has changed. A run that fails leaves the last selection in place. The script does not run
   * on incomplete input: while a kind cannot be read, or before the first run while the evaluation of an object fails that
   * may have matched in the last report.
   */
  select({ matches, failures, hasChanged, isPartial }: SelectedMatches): EvaluationResult {
    const isUncertain = !this.#hasRun && this.#hasPrevious && failures.some(({ effect }) => effect === "kept");
    if (isPartial || isUncertain) return { ...this.#selected, failures };
    if (hasChanged) this.#run(matches);
    return { ...this.#selected, failures: [...failures, ...this.#failure] };
  }

  #run(matches: readonly Match[]): void {
    const result = this.#aggregation(matches.flatMap(({ object }) => (object === undefined ? [] : [object])));
    if ("failed" in result) {
      this.#failure = [{ reason: result.failed, effect: "kept" }];
      return;
    }
    this.#failure = [];
    this.#hasRun = true;
    this.#selected = result;
  }
}

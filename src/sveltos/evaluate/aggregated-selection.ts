import type { KubeObject } from "../../core/object/index.ts";
import type { AggregationResult } from "./aggregation.ts";
import type { MatchFailure, EvaluationResult, Match } from "./evaluation-result.ts";

/** What the selectors matched: the input of the aggregating script. */
type SelectedMatches = {
  readonly matches: readonly Match[];
  readonly failures: readonly MatchFailure[];
  /** Objects of some kind cannot be read. */
  readonly isPartial: boolean;
};

/** The matches that the script of `aggregatedSelection` selects, from its last successful run. */
export class AggregatedSelection {
  readonly #hasPrevious: boolean;
  #selected: Pick<EvaluationResult, "matches" | "message">;
  #hasRun = false;
  #failure: readonly MatchFailure[] = [];

  /** `last`: the matches of the last report, which hold until the first run. */
  constructor(last: readonly Match[]) {
    this.#selected = { matches: last, message: "" };
    this.#hasPrevious = last.length > 0;
  }

  /**
   * The objects to run the script on. Undefined while they are incomplete: a kind cannot be read, or before the first run
   * the evaluation of an object fails that may have matched in the last report.
   */
  inputOf(selected: SelectedMatches): readonly KubeObject[] | undefined {
    if (this.#isIncomplete(selected)) return undefined;
    return selected.matches.flatMap(({ object }) => (object === undefined ? [] : [object]));
  }

  /** Takes over the result of a run. One that failed leaves the last selection in place. */
  record(result: AggregationResult): void {
    if ("failed" in result) {
      this.#failure = [{ reason: result.failed, effect: "kept" }];
      return;
    }
    this.#failure = [];
    this.#hasRun = true;
    this.#selected = result;
  }

  result(selected: SelectedMatches): EvaluationResult {
    const { failures } = selected;
    return { ...this.#selected, failures: this.#isIncomplete(selected) ? failures : [...failures, ...this.#failure] };
  }

  #isIncomplete({ failures, isPartial }: SelectedMatches): boolean {
    return isPartial || (!this.#hasRun && this.#hasPrevious && failures.some(({ effect }) => effect === "kept"));
  }
}

import type { Aggregate } from "./aggregate.ts";
import type { Failure, Findings, Match } from "./verdict.ts";

/** What is known of the selection that a choice is made from. */
export type Selection = {
  readonly matches: readonly Match[];
  readonly failures: readonly Failure[];
  /** It has changed since the last choice. */
  readonly isNew: boolean;
  /** Some of it cannot be read at all. */
  readonly isPartial: boolean;
};

/** The choice that the aggregating script makes among all that the selectors found, and the last good one. */
export class Choice {
  readonly #aggregate: Aggregate;
  readonly #isKnownFromBefore: boolean;
  #made: Pick<Findings, "matches" | "message">;
  #isOurs = false;
  #failure: readonly Failure[] = [];

  /** `last` is what was chosen when somebody looked last. */
  constructor(aggregate: Aggregate, last: readonly Match[]) {
    this.#aggregate = aggregate;
    this.#made = { matches: last, message: "" };
    this.#isKnownFromBefore = last.length > 0;
  }

  /**
   * A choice that fails leaves the last one as it was. So does one that would be made on too little: where a kind cannot
   * be read, or where, before our first choice, there are objects that could not be judged and were, perhaps, last time.
   */
  among({ matches, failures, isNew, isPartial }: Selection): Findings {
    const isUnsure = !this.#isOurs && this.#isKnownFromBefore && failures.some(({ effect }) => effect === "kept");
    if (isPartial || isUnsure) return { ...this.#made, failures };
    if (isNew) this.#choose(matches);
    return { ...this.#made, failures: [...failures, ...this.#failure] };
  }

  #choose(matches: readonly Match[]): void {
    const choice = this.#aggregate(matches.flatMap(({ object }) => (object === undefined ? [] : [object])));
    if ("failed" in choice) {
      this.#failure = [{ reason: choice.failed, effect: "kept" }];
      return;
    }
    this.#failure = [];
    this.#isOurs = true;
    this.#made = choice;
  }
}

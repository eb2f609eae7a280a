import { refOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { SelectorMatch } from "./sorted-matches.ts";
import type { MetadataMatcher } from "./selector-matcher.ts";
import type { MatchFailure, Match, MatchResult } from "./evaluation-result.ts";

/** A selector and its index in the EventSource. */
export type IndexedMatcher = { readonly index: number; readonly matcher: MetadataMatcher };

/** One object of the cluster and the last result of every selector of its kind. */
export class EvaluatedObject {
  readonly key: string;
  object: KubeObject;
  /** The match, if a selector matches. */
  match: SelectorMatch | undefined;
  failures: readonly MatchFailure[] = [];
  /** A script exceeded its limits. */
  isAtLimit = false;
  readonly #ref: ObjectRef;
  readonly #matchers: readonly IndexedMatcher[];
  /** By selector, the last match; null: no match; undefined: not evaluated yet. */
  readonly #results: (Match | null | undefined)[];
  readonly #last: Match | undefined;

  constructor(object: KubeObject, key: string, matchers: readonly IndexedMatcher[], last: Match | undefined) {
    this.object = object;
    this.key = key;
    this.#ref = refOf(object);
    this.#matchers = matchers;
    this.#results = matchers.map(() => undefined);
    this.#last = last;
  }

  /** Records the result of every selector on the object. A selector that failed keeps its last result. */
  record(object: KubeObject, results: readonly MatchResult[]): void {
    const failures: MatchFailure[] = [];
    this.match = undefined;
    this.isAtLimit = false;
    for (const [position, { index }] of this.#matchers.entries()) {
      const result = results[position]!;
      this.#recordFailures(result, failures);
      const matched = this.#record(position, result, object);
      if (matched !== null && this.match === undefined) this.match = { match: matched, selector: index };
    }
    this.failures = failures;
  }

  /** The results of the selectors that metadata alone decides. */
  metadataResults(object: KubeObject): readonly (MatchResult | undefined)[] {
    return this.#matchers.map(({ matcher }) => matcher.matchMetadata(object));
  }

  /** Leaves the object unevaluated. One that was never evaluated keeps the match of the last report. */
  postpone(): void {
    if (this.match !== undefined || this.#last === undefined || this.#results.some((result) => result !== undefined)) return;
    this.match = { match: this.#last, selector: this.#matchers[0]?.index ?? 0 };
  }

  #record(position: number, result: MatchResult, object: KubeObject): Match | null {
    switch (result.state) {
      case "matching":
        return (this.#results[position] = { ref: this.#ref, object, message: result.message });
      case "different":
        return (this.#results[position] = null);
      case "failed": {
        const known = this.#results[position];
        if (known !== undefined) return known;
        return this.#last === undefined ? null : { ref: this.#ref, object: this.#last.object ?? object, message: this.#last.message };
      }
    }
  }

  #recordFailures(result: MatchResult, failures: MatchFailure[]): void {
    if (result.state === "failed") {
      failures.push({ ref: this.#ref, reason: result.because, effect: "kept" });
      this.isAtLimit ||= result.isLimit === true;
    }
    if (result.state === "different" && result.ruleErrors !== undefined)
      failures.push({ ref: this.#ref, reason: result.ruleErrors, effect: "skipped" });
  }
}

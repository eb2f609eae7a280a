import type { KubeObject, ObjectRef } from "../../core/object/index.ts";
import type { Ranked } from "./ranking.ts";
import type { Judge } from "./selector.ts";
import type { Failure, Match, Verdict } from "./verdict.ts";

/** A selector's place among the selectors of its EventSource. */
export type Place = { readonly index: number; readonly judge: Judge };

/** What is known of one object: how it is now, and what each selector that looks at its kind last made of it. */
export class Dossier {
  readonly key: string;
  object: KubeObject | undefined;
  /** The match that comes of it, if one does. */
  match: Ranked | undefined;
  failures: readonly Failure[] = [];
  /** Its script had to be stopped. */
  isAtLimit = false;
  readonly #ref: ObjectRef;
  readonly #places: readonly Place[];
  /** By selector: how it matched when it was last judged, or null where it did not. Undefined where it never was. */
  readonly #verdicts: (Match | null | undefined)[];
  readonly #last: Match | undefined;

  constructor(key: string, ref: ObjectRef, places: readonly Place[], last: Match | undefined) {
    this.key = key;
    this.#ref = ref;
    this.#places = places;
    this.#verdicts = places.map(() => undefined);
    this.#last = last;
  }

  /** Asks every selector about the object as it is now. */
  judge(): void {
    const { object } = this;
    if (object === undefined) return;
    const failures: Failure[] = [];
    this.match = undefined;
    this.isAtLimit = false;
    for (const [position, { index, judge }] of this.#places.entries()) {
      const verdict = judge.judge(object);
      this.#note(verdict, failures);
      const held = this.#hold(position, verdict, object);
      if (held !== null && this.match === undefined) this.match = { match: held, selector: index };
    }
    this.failures = failures;
  }

  /** Leaves it unjudged: one that never was goes by what was known last. */
  postpone(): void {
    if (this.match !== undefined || this.#last === undefined || this.#verdicts.some((verdict) => verdict !== undefined)) return;
    this.match = { match: this.#last, selector: this.#places[0]?.index ?? 0 };
  }

  #hold(position: number, verdict: Verdict, object: KubeObject): Match | null {
    switch (verdict.state) {
      case "matching":
        return (this.#verdicts[position] = { ref: this.#ref, object, message: verdict.message });
      case "different":
        return (this.#verdicts[position] = null);
      case "failed": {
        const known = this.#verdicts[position];
        if (known !== undefined) return known;
        return this.#last === undefined ? null : { ref: this.#ref, object: this.#last.object ?? object, message: this.#last.message };
      }
    }
  }

  #note(verdict: Verdict, failures: Failure[]): void {
    if (verdict.state === "failed") {
      failures.push({ ref: this.#ref, reason: verdict.because, effect: "kept" });
      this.isAtLimit ||= verdict.isLimit === true;
    }
    if (verdict.state === "different" && verdict.complaint !== undefined)
      failures.push({ ref: this.#ref, reason: verdict.complaint, effect: "skipped" });
  }
}

import type { CodePointSet } from "./code-point-set.ts";

/** Matches no character, but says what is around it. */
export type Assertion = {
  readonly type: "assertion";
  /** The source of a JavaScript RegExp. */
  readonly source: string;
  /** What is before it, or the start of the text. */
  readonly behind?: CodePointSet;
  /** What is after it, or the end of the text. */
  readonly ahead?: CodePointSet;
};

/** A part of a pattern. */
export type Pattern =
  | { readonly type: "set"; readonly set: CodePointSet }
  | Assertion
  | { readonly type: "sequence"; readonly items: readonly Pattern[] }
  | { readonly type: "alternation"; readonly branches: readonly Pattern[] }
  /** A group that is captured, or only holds together. */
  | { readonly type: "group"; readonly body: Pattern; readonly isCaptured: boolean }
  /** `max` is Infinity for a loop. */
  | { readonly type: "repeat"; readonly body: Pattern; readonly min: number; readonly max: number; readonly isLazy: boolean };

/** A repetition of one set of characters without a bound. */
export type Loop = { readonly set: CodePointSet; readonly min: number; readonly isLazy: boolean };

export function loopIn(pattern: Pattern): Loop | undefined {
  if (pattern.type !== "repeat" || pattern.max !== Infinity || pattern.body.type !== "set") return undefined;
  return { set: pattern.body.set, min: pattern.min, isLazy: pattern.isLazy };
}

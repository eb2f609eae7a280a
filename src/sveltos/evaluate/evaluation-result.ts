import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** What one selector says of one object. */
export type MatchResult =
  | { readonly state: "matching"; readonly message: string }
  /** `complaint` tells of rules that could not be asked, each of which counts as one that says no. */
  | { readonly state: "different"; readonly because: string; readonly message: string; readonly ruleErrors?: string }
  /** It could not be judged: whatever was said of the object before holds. `isLimit`: it took more than it may take. */
  | { readonly state: "failed"; readonly because: string; readonly isLimit?: boolean };

/** An object that is part of an event. `object` is as it was when it was judged. */
export type Match = {
  readonly ref: ObjectRef;
  readonly object?: KubeObject;
  /** What the script had to say of it (`hs.message`); mostly empty. */
  readonly message: string;
};

/** Something that went wrong, and what became of it. Without a ref it is the definition itself that is wrong. */
export type MatchFailure = {
  readonly ref?: ObjectRef;
  readonly reason: string;
  /** `kept`: what was known before holds. `skipped`: a rule that could not be asked counts as one that says no. */
  readonly effect: "kept" | "skipped";
};

/** All there is to say of an EventSource in a cluster. It survives JSON. */
export type EvaluationResult = {
  /** By namespace and name, each object once. */
  readonly matches: readonly Match[];
  readonly failures: readonly MatchFailure[];
  /** What the aggregating script had to say; empty without one. */
  readonly message: string;
};

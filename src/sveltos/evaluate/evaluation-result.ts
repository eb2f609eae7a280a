import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** The result of one selector on one object. */
export type MatchResult =
  | { readonly state: "matching"; readonly message: string }
  /** `ruleErrors`: CEL rules whose evaluation failed, each of which counts as false. */
  | { readonly state: "different"; readonly because: string; readonly message: string; readonly ruleErrors?: string }
  /** The evaluation failed, and the last result holds. `isLimit`: the script exceeded its limits. */
  | { readonly state: "failed"; readonly because: string; readonly isLimit?: boolean };

/** A matching object. `object` is its content at the time of the evaluation. */
export type Match = {
  readonly ref: ObjectRef;
  readonly object?: KubeObject;
  /** The content is too large for the report that the match was read from. */
  readonly isLeftOut?: true;
  /** The script's `hs.message`, usually empty. */
  readonly message: string;
};

/** A failed evaluation and its effect. Without a ref it concerns the EventSource itself. */
export type MatchFailure = {
  readonly ref?: ObjectRef;
  readonly reason: string;
  /** `kept`: the last result holds. `skipped`: a CEL rule that failed counts as false. */
  readonly effect: "kept" | "skipped";
};

/** The result of an EventSource in a cluster, as plain JSON data. */
export type EvaluationResult = {
  /** Ordered by namespace and name, each object once. */
  readonly matches: readonly Match[];
  readonly failures: readonly MatchFailure[];
  /** The message of the aggregating script; empty without one. */
  readonly message: string;
  /** The kinds that the cluster does not serve (`v1 Servce`), so that nothing of them can match. Left out when there are none. */
  readonly notServed?: readonly string[];
};

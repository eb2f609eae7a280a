import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { sizeOfIntervals, overlap, parseIntervals, type Intervals } from "./index-intervals.ts";
import { completionsOf } from "./job-spec.ts";

/**
 * The message of the successPolicy rule that a Job meets; undefined when none.
 *
 * Models pkg/controller/job/success_policy.go matchSuccessPolicy
 */
export function matchSuccessPolicy(job: KubeObject, succeeded: Intervals): string | undefined {
  if (succeeded.length === 0) return undefined;
  const index = listAt(job, "spec.successPolicy.rules").findIndex((rule) => {
    const enough = numberAt(rule, "succeededCount");
    const indexes = stringAt(rule, "succeededIndexes");
    if (indexes === undefined) return enough !== undefined && sizeOfIntervals(succeeded) >= enough;
    const required = parseIntervals(indexes, completionsOf(job) ?? 0);
    const met = overlap(required, succeeded);
    return required.length > 0 && (met === sizeOfIntervals(required) || (enough !== undefined && met >= enough));
  });
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

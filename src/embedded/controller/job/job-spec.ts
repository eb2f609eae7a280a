import { booleanAt, findCondition, fieldsAt, numberAt, stringAt, valueAt, type KubeObject } from "../../../core/object/index.ts";
import { podPhaseOf } from "../pod/index.ts";

export const jobs = "jobs.batch";
export const jobSource = "job-controller";
export const trackingFinalizer = "batch.kubernetes.io/job-tracking";

/** Whether the Job is complete or failed; it is not synced any more. */
export function isFinished(job: KubeObject): boolean {
  return findCondition(job, "Complete", "True") !== undefined || findCondition(job, "Failed", "True") !== undefined;
}

/** Whether spec.managedBy names another controller. */
export function isManagedElsewhere(job: KubeObject): boolean {
  return stringAt(job, "spec.managedBy", "kubernetes.io/job-controller") !== "kubernetes.io/job-controller";
}

export function isIndexed(job: KubeObject): boolean {
  return stringAt(job, "spec.completionMode") === "Indexed";
}

export function isSuspended(job: KubeObject): boolean {
  return booleanAt(job, "spec.suspend");
}

/** The required number of successes; undefined when one success completes the Job. */
export function completionsOf(job: KubeObject): number | undefined {
  return numberAt(job, "spec.completions");
}

export function backoffLimitPerIndex(job: KubeObject): number | undefined {
  return numberAt(job, "spec.backoffLimitPerIndex");
}

/** Whether Pods are replaced only when they have failed, not while they are terminating. */
export function replacesFailedOnly(job: KubeObject): boolean {
  return stringAt(job, "spec.podReplacementPolicy") === "Failed" || valueAt(job, "spec.podFailurePolicy") !== undefined;
}

export function isPodFailed(pod: KubeObject, job: KubeObject): boolean {
  const phase = podPhaseOf(pod);
  if (phase === "Failed") return true;
  // A Pod without a node that is being deleted never reports that it failed.
  return !replacesFailedOnly(job) && pod.metadata.deletionTimestamp !== undefined && phase !== "Succeeded";
}

export function isTracked({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(trackingFinalizer) === true;
}

/** A Job's `spec.template`. */
export function jobTemplateOf(job: KubeObject) {
  return fieldsAt(job, "spec.template");
}

import type { KubeObject } from "../../../core/object/index.ts";
import { podPhaseOf, removeFinalizer } from "../pod/index.ts";
import { byIndex, validIndexOf } from "./completion-index.ts";
import { countsAsFailure } from "./pod-failure-policy.ts";
import { sizeOfIntervals, intervalsText } from "./index-intervals.ts";
import { completionsOf, isIndexed, isPodFailed, isTracked, jobSource, trackingFinalizer } from "./job-spec.ts";
import type { JobSync } from "./job-sync.ts";
import { newJobCondition, ensureJobConditionStatus, updateJobStatus, type JobCondition } from "./job-status.ts";
import type { JobDecision } from "./job-decision.ts";

/**
 * Counts finished Pods, each exactly once: they are listed in the status, then lose their finalizer, then are counted
 * and unlisted. A decided Job finishes when no Pod is left to count or to delete.
 *
 * Models pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers
 */
export function trackJobStatusAndRemoveFinalizers(sync: JobSync, decision: JobDecision | undefined): void {
  const { context, jobStatus } = sync;
  settleUncounted(sync, new Set(sync.pods.filter(isTracked).map(({ metadata }) => metadata.uid)));
  const ended = sync.pods.filter((pod) => isTracked(pod) && canRemoveFinalizer(sync, pod, decision)).toSorted(byIndex);
  listEnded(sync, ended, decision);
  if (decision !== undefined) setInterimCondition(sync, decision);
  sync.job = updateJobStatus(context, sync.job, jobStatus);

  for (const pod of ended) removeFinalizer(context, pod, trackingFinalizer);
  const left = new Set(sync.pods.filter((pod) => isTracked(pod) && !ended.includes(pod)).map(({ metadata }) => metadata.uid));
  settleUncounted(sync, left);
  const finished = decision === undefined ? undefined : finish(sync, decision);
  sync.job = updateJobStatus(context, sync.job, jobStatus);
  if (finished !== undefined) recordJobFinished(sync, finished);
}

function canRemoveFinalizer({ job, replaceable }: JobSync, pod: KubeObject, decision: JobDecision | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || decision !== undefined || podPhaseOf(pod) === "Succeeded") return true;
  if (!isPodFailed(pod, job)) return false;
  const index = validIndexOf(pod, job);
  return index === undefined || replaceable.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Lists finished Pods in the status until they are counted. Succeeded indexes need no list. */
function listEnded(sync: JobSync, ended: readonly KubeObject[], decision: JobDecision | undefined): void {
  const { job, jobStatus } = sync;
  const succeeded = [...jobStatus.uncountedTerminatedPods.succeeded];
  const failed = [...jobStatus.uncountedTerminatedPods.failed];
  for (const pod of ended) {
    const uid = pod.metadata.uid ?? "";
    if (podPhaseOf(pod) === "Succeeded" && !failed.includes(uid)) {
      if (!isIndexed(job) && !succeeded.includes(uid)) succeeded.push(uid);
    } else if (isPodFailed(pod, job) || decision?.type === "failure") {
      const useful = !isIndexed(job) || validIndexOf(pod, job) !== undefined;
      if (useful && !failed.includes(uid) && countsAsFailure(job, pod)) failed.push(uid);
    }
  }
  jobStatus.uncountedTerminatedPods = { succeeded, failed };
  if (isIndexed(job)) updateIndexes(sync);
}

function updateIndexes({ jobStatus, succeededIndexes, failedIndexes }: JobSync): void {
  jobStatus.succeeded = sizeOfIntervals(succeededIndexes);
  jobStatus.completedIndexes = intervalsText(succeededIndexes);
  jobStatus.failedIndexes = failedIndexes === undefined ? undefined : intervalsText(failedIndexes);
}

/** Counts the listed Pods that have no finalizer any more. */
function settleUncounted({ jobStatus }: JobSync, tracked: ReadonlySet<string | undefined>): void {
  const { succeeded, failed } = jobStatus.uncountedTerminatedPods;
  const left = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  jobStatus.succeeded += succeeded.length - left.succeeded.length;
  jobStatus.failed += failed.length - left.failed.length;
  jobStatus.uncountedTerminatedPods = left;
}

/** Records the decision before the Pods are deleted, so that it cannot change later. */
function setInterimCondition({ jobStatus, nowMs }: JobSync, { type, reason, message, recorded }: JobDecision): void {
  if (recorded) return;
  const interim = type === "failure" ? "FailureTarget" : "SuccessCriteriaMet";
  jobStatus.conditions = [...jobStatus.conditions, newJobCondition(nowMs, { type: interim, status: "True", reason, message })];
}

/** Finishes the Job unless Pods are still to be counted or terminating. Returns the final condition. */
function finish({ jobStatus, nowMs }: JobSync, { type, reason, message }: JobDecision): JobCondition | undefined {
  const { uncountedTerminatedPods, terminating } = jobStatus;
  if (uncountedTerminatedPods.succeeded.length + uncountedTerminatedPods.failed.length > 0 || terminating > 0) return undefined;
  const last = newJobCondition(nowMs, { type: type === "failure" ? "Failed" : "Complete", status: "True", reason, message });
  jobStatus.conditions = ensureJobConditionStatus(jobStatus.conditions, last);
  if (type === "success") jobStatus.completionTime = last.lastTransitionTime;
  return last;
}

function recordJobFinished({ context, job, jobStatus }: JobSync, { type, reason = "", message = "" }: JobCondition): void {
  if (type === "Failed") return context.record(job, { type: "Warning", reason, message, source: jobSource });
  if (jobStatus.succeeded > (completionsOf(job) ?? Infinity)) {
    const tooMany = "Too many succeeded pods running after completion count reached";
    context.record(job, { type: "Warning", reason: "TooManySucceededPods", message: tooMany, source: jobSource });
  }
  context.record(job, { type: "Normal", reason: "Completed", message: "Job completed", source: jobSource });
}

import type { KubeObject } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { isPodActive, isPodReady, isPodTerminating, podPhaseOf } from "../pod/index.ts";
import type { BackoffRecord } from "./backoff-record.ts";
import { indexesOf, podsToReplace, succeededIndexes, failedIndexes, validIndexOf } from "./completion-index.ts";
import { countsAsFailure } from "./pod-failure-policy.ts";
import { sizeOfIntervals, type Intervals } from "./index-intervals.ts";
import { backoffLimitPerIndex, isIndexed, isPodFailed, isTracked } from "./job-spec.ts";
import { jobStatusOf, type JobStatus } from "./job-status.ts";

/** One sync of a Job: its Pods, and the status being computed. */
export type JobSync = {
  readonly context: EmbeddedControllerContext;
  readonly nowMs: number;
  job: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly active: readonly KubeObject[];
  readonly jobStatus: JobStatus;
  /** Finished since the last sync. */
  readonly newSucceeded: readonly KubeObject[];
  readonly newFailed: readonly KubeObject[];
  /** All finished Pods, counted or not. */
  readonly succeeded: number;
  readonly failed: number;
  /** Indexed Jobs only; empty for others. */
  readonly succeededIndexes: Intervals;
  /** Only for Jobs with backoffLimitPerIndex. */
  readonly failedIndexes: Intervals | undefined;
  readonly replaceable: ReadonlyMap<number, KubeObject>;
  backoff: BackoffRecord;
};

/** Models the first half of pkg/controller/job/job_controller.go syncJob */
export function jobSyncOf(
  context: EmbeddedControllerContext,
  job: KubeObject,
  pods: readonly KubeObject[],
  backoff: BackoffRecord,
): JobSync {
  const jobStatus = jobStatusOf(job);
  const active = pods.filter(isPodActive);
  jobStatus.active = active.length;
  jobStatus.ready = active.filter(isPodReady).length;
  jobStatus.terminating = pods.filter(isPodTerminating).length;
  const { uncountedTerminatedPods } = jobStatus;

  const fresh = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || validIndexOf(pod, job) !== undefined));
  const newSucceeded = fresh.filter((pod) => podPhaseOf(pod) === "Succeeded" && !isListed(pod, uncountedTerminatedPods.succeeded));
  const newFailed = fresh.filter((pod) => isPodFailed(pod, job) && !isListed(pod, uncountedTerminatedPods.failed));

  const indexes = isIndexed(job) ? succeededIndexes(job, jobStatus, pods) : [];
  const lost = isIndexed(job) && backoffLimitPerIndex(job) !== undefined ? failedIndexes(job, jobStatus, pods) : undefined;
  const settled = { succeeded: indexes, failed: lost ?? [], active: indexesOf(active) };
  return {
    context,
    nowMs: context.clock.now(),
    job,
    pods,
    active,
    jobStatus,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job)
      ? sizeOfIntervals(indexes)
      : jobStatus.succeeded + newSucceeded.length + uncountedTerminatedPods.succeeded.length,
    failed: jobStatus.failed + newFailed.filter((pod) => countsAsFailure(job, pod)).length + uncountedTerminatedPods.failed.length,
    succeededIndexes: indexes,
    failedIndexes: lost,
    replaceable: lost === undefined ? new Map() : podsToReplace(job, pods, settled),
    backoff,
  };
}

function isListed({ metadata }: KubeObject, uids: readonly string[]): boolean {
  return uids.includes(metadata.uid ?? "");
}

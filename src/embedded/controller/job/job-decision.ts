import { findCondition, listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { podPhaseOf, timeMs } from "../pod/index.ts";
import { failJobMessage } from "./pod-failure-policy.ts";
import { sizeOfIntervals } from "./index-intervals.ts";
import { completionsOf, isIndexed, isSuspended } from "./job-spec.ts";
import { matchSuccessPolicy } from "./success-policy.ts";
import type { JobSync } from "./job-sync.ts";

/** The decided result of a Job, with its reason. `recorded`: the status already contains it. */
export type JobDecision = {
  readonly type: "failure" | "success";
  readonly reason: string;
  readonly message: string;
  readonly recorded: boolean;
};

/**
 * Decides whether a Job has succeeded or failed, apart from reaching its completions. A recorded decision stays; then
 * failures are checked, then the success policy.
 *
 * Models pkg/controller/job/job_controller.go syncJob
 */
export function decideJob(sync: JobSync): JobDecision | undefined {
  const { job } = sync;
  const met = findCondition(job, "SuccessCriteriaMet", "True");
  if (met !== undefined) return { type: "success", reason: met.reason ?? "", message: met.message ?? "", recorded: true };
  const target = findCondition(job, "FailureTarget", "True");
  if (target !== undefined) return { type: "failure", reason: target.reason ?? "", message: target.message ?? "", recorded: true };
  return failureOf(sync) ?? successByPolicy(sync);
}

export const completionsReached: JobDecision = {
  type: "success",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
  recorded: false,
};

function failure(reason: string, message: string): JobDecision {
  return { type: "failure", reason, message, recorded: false };
}

function failureOf(sync: JobSync): JobDecision | undefined {
  const { job, pods } = sync;
  const byPolicy = failJobMessage(job, pods);
  if (byPolicy !== undefined) return failure("PodFailurePolicy", byPolicy);
  if (sync.failed > numberAt(job, "spec.backoffLimit", 6) || hasRestartedTooOften(job, pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (deadlineInMs(sync) === 0) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  return failureByIndex(sync);
}

function failureByIndex({ job, failedIndexes, succeededIndexes }: JobSync): JobDecision | undefined {
  if (failedIndexes === undefined) return undefined;
  const lost = sizeOfIntervals(failedIndexes);
  if (lost > numberAt(job, "spec.maxFailedIndexes", Infinity)) {
    return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  }
  const decided = lost + sizeOfIntervals(succeededIndexes) >= (completionsOf(job) ?? 0);
  return lost > 0 && decided ? failure("FailedIndexes", "Job has failed indexes") : undefined;
}

function successByPolicy({ job, succeededIndexes }: JobSync): JobDecision | undefined {
  const message = isIndexed(job) ? matchSuccessPolicy(job, succeededIndexes) : undefined;
  return message === undefined ? undefined : { type: "success", reason: "SuccessPolicy", message, recorded: false };
}

/** Container restarts count as failures when the kubelet does the retries. */
function hasRestartedTooOften(job: KubeObject, pods: readonly KubeObject[]): boolean {
  if (stringAt(job, "spec.template.spec.restartPolicy") !== "OnFailure") return false;
  const limit = numberAt(job, "spec.backoffLimit", 6);
  let restarts = 0;
  for (const pod of pods) {
    if (podPhaseOf(pod) !== "Running" && podPhaseOf(pod) !== "Pending") continue;
    const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
    for (const status of statuses) restarts += numberAt(status, "restartCount", 0);
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** How long the Job may still be active; undefined when nothing limits it. */
export function deadlineInMs({ job, jobStatus, nowMs }: JobSync): number | undefined {
  const seconds = numberAt(job, "spec.activeDeadlineSeconds");
  const startMs = timeMs(jobStatus.startTime);
  if (seconds === undefined || startMs === undefined || isSuspended(job)) return undefined;
  return Math.max(0, startMs + seconds * 1000 - nowMs);
}

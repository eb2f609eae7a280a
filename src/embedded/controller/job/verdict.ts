import { condition, listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { phaseOf, timeMs } from "../pod/index.ts";
import { failJobMessage } from "./failure-policy.ts";
import { countOf } from "./interval.ts";
import { completionsOf, isIndexed, isSuspended } from "./job.ts";
import { metSuccessRule } from "./success-policy.ts";
import type { JobSync } from "./sync.ts";

/** That a Job is decided, how and why. `told`: its status has said so before. */
export type Verdict = { readonly type: "failure" | "success"; readonly reason: string; readonly message: string; readonly told: boolean };

/**
 * Whether a Job is decided, apart from its completions being reached. What was decided once stays; then failures, then
 * success by policy.
 *
 * Models pkg/controller/job/job_controller.go syncJob
 */
export function verdictOn(sync: JobSync): Verdict | undefined {
  const { job } = sync;
  const met = condition(job, "SuccessCriteriaMet", "True");
  if (met !== undefined) return { type: "success", reason: met.reason ?? "", message: met.message ?? "", told: true };
  const target = condition(job, "FailureTarget", "True");
  if (target !== undefined) return { type: "failure", reason: target.reason ?? "", message: target.message ?? "", told: true };
  return failureOf(sync) ?? successByPolicy(sync);
}

export const completionsReached: Verdict = {
  type: "success",
  reason: "CompletionsReached",
  message: "Reached expected number of succeeded pods",
  told: false,
};

function failure(reason: string, message: string): Verdict {
  return { type: "failure", reason, message, told: false };
}

function failureOf(sync: JobSync): Verdict | undefined {
  const { job, pods } = sync;
  const byPolicy = failJobMessage(job, pods);
  if (byPolicy !== undefined) return failure("PodFailurePolicy", byPolicy);
  if (sync.failed > numberAt(job, "spec.backoffLimit", 6) || hasRestartedTooOften(job, pods)) {
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  }
  if (deadlineInMs(sync) === 0) return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  return failureByIndex(sync);
}

function failureByIndex({ job, failedIndexes, succeededIndexes }: JobSync): Verdict | undefined {
  if (failedIndexes === undefined) return undefined;
  const lost = countOf(failedIndexes);
  if (lost > numberAt(job, "spec.maxFailedIndexes", Infinity)) {
    return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  }
  const decided = lost + countOf(succeededIndexes) >= (completionsOf(job) ?? 0);
  return lost > 0 && decided ? failure("FailedIndexes", "Job has failed indexes") : undefined;
}

function successByPolicy({ job, succeededIndexes }: JobSync): Verdict | undefined {
  const message = isIndexed(job) ? metSuccessRule(job, succeededIndexes) : undefined;
  return message === undefined ? undefined : { type: "success", reason: "SuccessPolicy", message, told: false };
}

/** Restarts inside Pods count as failures where the kubelet does the trying again. */
function hasRestartedTooOften(job: KubeObject, pods: readonly KubeObject[]): boolean {
  if (stringAt(job, "spec.template.spec.restartPolicy") !== "OnFailure") return false;
  const limit = numberAt(job, "spec.backoffLimit", 6);
  let restarts = 0;
  for (const pod of pods) {
    if (phaseOf(pod) !== "Running" && phaseOf(pod) !== "Pending") continue;
    const statuses = [...listAt(pod, "status.initContainerStatuses"), ...listAt(pod, "status.containerStatuses")];
    for (const status of statuses) restarts += numberAt(status, "restartCount", 0);
  }
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

/** How long the Job may still be active; undefined when nothing limits it. */
export function deadlineInMs({ job, tally, nowMs }: JobSync): number | undefined {
  const seconds = numberAt(job, "spec.activeDeadlineSeconds");
  const startMs = timeMs(tally.startTime);
  if (seconds === undefined || startMs === undefined || isSuspended(job)) return undefined;
  return Math.max(0, startMs + seconds * 1000 - nowMs);
}

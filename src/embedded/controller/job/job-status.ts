import {
  conditionsOf,
  equal,
  fieldsAt,
  numberAt,
  stringAt,
  stringsAt,
  type Condition,
  type Fields,
  type KubeObject,
} from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";
import { controllerManager } from "../owner/index.ts";
import { timestamp, withoutZeros } from "../pod/index.ts";
import { jobs } from "./job-spec.ts";

export type JobCondition = Condition & { readonly lastProbeTime?: string };

/** The status of a Job while it is computed. */
export type JobStatus = {
  conditions: readonly JobCondition[];
  startTime: string | undefined;
  completionTime: string | undefined;
  active: number;
  ready: number;
  terminating: number;
  succeeded: number;
  failed: number;
  completedIndexes: string;
  failedIndexes: string | undefined;
  /** Finished Pods that still have the finalizer, by uid: they are counted when it is removed. */
  uncountedTerminatedPods: { succeeded: readonly string[]; failed: readonly string[] };
};

export function jobStatusOf(job: KubeObject): JobStatus {
  const status = fieldsAt(job, "status");
  return {
    conditions: conditionsOf(job),
    startTime: stringAt(status, "startTime"),
    completionTime: stringAt(status, "completionTime"),
    active: numberAt(status, "active", 0),
    ready: numberAt(status, "ready", 0),
    terminating: numberAt(status, "terminating", 0),
    succeeded: numberAt(status, "succeeded", 0),
    failed: numberAt(status, "failed", 0),
    completedIndexes: stringAt(status, "completedIndexes", ""),
    failedIndexes: stringAt(status, "failedIndexes"),
    uncountedTerminatedPods: {
      succeeded: stringsAt(status, "uncountedTerminatedPods.succeeded"),
      failed: stringsAt(status, "uncountedTerminatedPods.failed"),
    },
  };
}

function statusOf({ conditions, uncountedTerminatedPods, ready, terminating, failedIndexes, ...counts }: JobStatus): Fields {
  const { succeeded, failed } = uncountedTerminatedPods;
  return {
    ...withoutZeros(counts),
    ...(conditions.length === 0 ? {} : { conditions }),
    ...(failedIndexes === undefined ? {} : { failedIndexes }),
    ready,
    terminating,
    uncountedTerminatedPods: { ...(succeeded.length === 0 ? {} : { succeeded }), ...(failed.length === 0 ? {} : { failed }) },
  };
}

/** Writes the status if it changed, and returns the Job. */
export function updateJobStatus({ api }: EmbeddedControllerContext, job: KubeObject, jobStatus: JobStatus): KubeObject {
  const status = statusOf(jobStatus);
  return equal(fieldsAt(job, "status"), status) ? job : api.updateStatus(jobs, { ...job, status }, controllerManager);
}

export function newJobCondition(nowMs: number, content: Pick<Condition, "type" | "status" | "reason" | "message">): JobCondition {
  const now = timestamp(nowMs);
  return { ...content, lastProbeTime: now, lastTransitionTime: now };
}

/**
 * Replaces a condition in its place, or appends it. A missing condition and False are equal.
 *
 * Models pkg/controller/job/job_controller.go ensureJobConditionStatus
 */
export function ensureJobConditionStatus(conditions: readonly JobCondition[], next: JobCondition): readonly JobCondition[] {
  const present = conditions.find(({ type }) => type === next.type);
  if (present === undefined) return next.status === "False" ? conditions : [...conditions, next];
  if (present.status === next.status && present.reason === next.reason && present.message === next.message) return conditions;
  return conditions.map((item) => (item === present ? next : item));
}

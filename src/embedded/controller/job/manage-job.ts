import { fieldsAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isStatusError, type StatusError } from "../../status-error.ts";
import {
  sortForDeletion,
  createPod,
  deletePod,
  isNamespaceTerminating,
  isPodReady,
  isPodTerminating,
  removeFinalizer,
  slowStartBatch,
  type PodControl,
} from "../pod/index.ts";
import { backoffRemainingMs } from "./backoff-record.ts";
import { byIndex, indexesOf, indexOf, indexPrefix, indexRemainingMs, indexTemplate } from "./completion-index.ts";
import { firstMissing, mergeIntervals, withIndexes } from "./index-intervals.ts";
import {
  backoffLimitPerIndex,
  completionsOf,
  isIndexed,
  isSuspended,
  replacesFailedOnly,
  jobSource,
  jobTemplateOf,
  trackingFinalizer,
} from "./job-spec.ts";
import type { JobSync } from "./job-sync.ts";

/** The maximum number of Pods that one sync creates or deletes. */
const burst = 500;

/** The result of managing Pods: when to requeue, and the StatusError that stopped it. */
export type ManageJobResult = { readonly requeueAfterMs?: number; readonly statusError?: StatusError };

/**
 * Creates or deletes Pods to reach the desired number of active ones. One call does one of both.
 *
 * Models pkg/controller/job/job_controller.go manageJob
 */
export function manageJob(sync: JobSync): ManageJobResult {
  const { job, active, jobStatus } = sync;
  if (isSuspended(job)) return deleteJobPods(sync, surplusPods(job, active, active.length), "untracked");
  const wanted = wantedActive(sync);
  const surplus = surplusPods(job, active, Math.max(0, active.length - wanted)).slice(0, burst);
  if (surplus.length > 0) return deleteJobPods(sync, surplus, "untracked");
  const terminating = replacesFailedOnly(job) ? jobStatus.terminating : 0;
  const missing = Math.min(wanted - terminating - active.length, burst);
  return missing > 0 ? createMissingPods(sync, missing) : {};
}

function wantedActive({ job, active, succeeded }: JobSync): number {
  const parallelism = numberAt(job, "spec.parallelism", 1);
  const completions = completionsOf(job);
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/** Deletes Pods. `untracked` ones lose their finalizer first and are never counted; the others are counted later. */
export function deleteJobPods(sync: JobSync, pods: readonly KubeObject[], tracking: "tracked" | "untracked"): ManageJobResult {
  const { context, job, jobStatus } = sync;
  let statusError: StatusError | undefined;
  for (const pod of pods) {
    try {
      if (tracking === "untracked") removeFinalizer(context, pod, trackingFinalizer);
      deletePod({ context, owner: job, source: jobSource }, pod);
      jobStatus.active--;
      jobStatus.terminating++;
    } catch (error) {
      if (!isStatusError(error)) throw error;
      statusError ??= error;
    }
    if (isPodReady(pod)) jobStatus.ready--;
  }
  return statusError === undefined ? {} : { statusError };
}

/** At least `count` Pods to delete. For indexed Jobs this includes all Pods with a duplicate or invalid index. */
function surplusPods(job: KubeObject, active: readonly KubeObject[], count: number): readonly KubeObject[] {
  const useless = isIndexed(job) ? duplicateIndexPods(job, active) : [];
  if (useless.length >= count) return useless;
  const others = active.filter((pod) => !useless.includes(pod));
  return [...useless, ...sortForDeletion(others).slice(0, count - useless.length)];
}

function duplicateIndexPods(job: KubeObject, active: readonly KubeObject[]): readonly KubeObject[] {
  const completions = completionsOf(job) ?? 0;
  const byTheirIndex = Map.groupBy(active.toSorted(byIndex), (pod) => indexOf(pod) ?? -1);
  return [...byTheirIndex].flatMap(([index, pods]) => (index < 0 || index >= completions ? pods : sortForDeletion(pods).slice(0, -1)));
}

function createMissingPods(sync: JobSync, missing: number): ManageJobResult {
  const { job, nowMs, backoff } = sync;
  const perIndex = backoffLimitPerIndex(job) !== undefined;
  const waitMs = perIndex ? 0 : backoffRemainingMs(backoff, nowMs);
  if (waitMs > 0) return { requeueAfterMs: waitMs };
  if (!isIndexed(job))
    return create(
      sync,
      Array.from({ length: missing }, () => undefined),
    );

  const pending = pendingIndexes(sync, missing);
  if (!perIndex) return create(sync, pending);
  const waits = new Map(pending.map((index) => [index, indexRemainingMs(sync.replaceable.get(index), nowMs)]));
  const due = pending.filter((index) => waits.get(index) === 0);
  return pending.length > 0 && due.length === 0 ? { requeueAfterMs: Math.min(...waits.values()) } : create(sync, due);
}

/** The lowest indexes that are neither finished nor active. */
function pendingIndexes({ job, active, pods, succeededIndexes, failedIndexes }: JobSync, count: number): number[] {
  const terminating = replacesFailedOnly(job) ? indexesOf(pods.filter(isPodTerminating)) : [];
  const taken = withIndexes(withIndexes(succeededIndexes, indexesOf(active)), terminating);
  return firstMissing(mergeIntervals(taken, failedIndexes ?? []), count, completionsOf(job) ?? 0);
}

function create(sync: JobSync, indexes: readonly (number | undefined)[]): ManageJobResult {
  const { context, job, jobStatus } = sync;
  const template = tracked(jobTemplateOf(job));
  const podControl = { context, owner: job, source: jobSource };
  const { successes, statusError } = slowStartBatch(indexes.length, (index) => createOne(sync, podControl, template, indexes[index]));
  jobStatus.active += successes;
  return statusError === undefined ? {} : { statusError };
}

function createOne({ job, replaceable }: JobSync, podControl: PodControl, template: Fields, index: number | undefined): void {
  try {
    if (index === undefined) createPod(podControl, template);
    else {
      const generateName = indexPrefix(job.metadata.name, index);
      createPod(podControl, indexTemplate(job, template, index, replaceable.get(index)), { generateName });
    }
  } catch (error) {
    if (!isNamespaceTerminating(error)) throw error;
  }
}

function tracked(template: Fields): Fields {
  const metadata = fieldsAt(template, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  if (finalizers.includes(trackingFinalizer)) return template;
  return { ...template, metadata: { ...metadata, finalizers: [...finalizers, trackingFinalizer] } };
}

import { findCondition, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { timeMs } from "../pod/index.ts";

// Models pkg/controller/job/backoff_utils.go

const firstBackoffMs = 10_000;
const longestBackoffMs = 10 * 60_000;

/** The number of consecutive failures of a Job's Pods, and the time of the last one. */
export type BackoffRecord = { readonly count: number; readonly lastMs: number };

export const emptyBackoffRecord: BackoffRecord = { count: 0, lastMs: 0 };

/** The record after these Pods have finished too: a success resets the count. */
export function backoffRecordAfter(before: BackoffRecord, succeeded: readonly KubeObject[], failed: readonly KubeObject[]): BackoffRecord {
  const failedMs = failed.map(finishedMs);
  if (succeeded.length === 0) return failed.length === 0 ? before : { count: before.count + failed.length, lastMs: latest(failedMs) };
  const successMs = latest(succeeded.map(finishedMs));
  const since = failedMs.filter((ms) => ms > successMs);
  return { count: since.length, lastMs: latest(since) };
}

function latest(times: readonly number[]): number {
  return times.reduce((a, b) => Math.max(a, b), 0);
}

/** The remaining back-off before the next Pod: 10 s after the first failure, doubled after each further one. */
export function backoffRemainingMs({ count, lastMs }: BackoffRecord, nowMs: number): number {
  if (count === 0) return 0;
  const backoffMs = Math.min(firstBackoffMs * 2 ** Math.min(count - 1, 10), longestBackoffMs);
  return Math.max(0, lastMs + backoffMs - nowMs);
}

/** When a Pod finished, as well as it is known: by its containers, its Ready condition, its deletion or its creation. */
export function finishedMs(pod: KubeObject): number {
  return (
    containersEndMs(pod) ??
    timeMs(findCondition(pod, "Ready", "False")?.lastTransitionTime) ??
    deletedMs(pod) ??
    timeMs(pod.metadata.creationTimestamp) ??
    0
  );
}

function containersEndMs(pod: KubeObject): number | undefined {
  const sidecars = new Set(
    listAt(pod, "spec.initContainers").flatMap(({ name, restartPolicy }) => (restartPolicy === "Always" ? [name] : [])),
  );
  const statuses = listAt(pod, "status.initContainerStatuses").filter(({ name }) => sidecars.has(name));
  const ends = [...listAt(pod, "status.containerStatuses"), ...statuses].map((status) =>
    timeMs(stringAt(status, "state.terminated.finishedAt")),
  );
  let latest: number | undefined;
  for (const end of ends) {
    if (end === undefined) return undefined;
    latest = Math.max(latest ?? end, end);
  }
  return latest;
}

function deletedMs({ metadata }: KubeObject): number | undefined {
  const end = timeMs(metadata.deletionTimestamp);
  return end === undefined ? undefined : end - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
}

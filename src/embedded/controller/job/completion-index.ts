import { fieldsAt, listAt, mapAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { finishedMs, backoffRemainingMs } from "./backoff-record.ts";
import { countsAsFailure, matchPodFailurePolicy } from "./pod-failure-policy.ts";
import { hasIndex, parseIntervals, withIndexes, type Intervals } from "./index-intervals.ts";
import { backoffLimitPerIndex, completionsOf, isPodFailed, isTracked } from "./job-spec.ts";
import { podPhaseOf } from "../pod/index.ts";
import type { JobStatus } from "./job-status.ts";

// Models pkg/controller/job/indexed_job_utils.go

const indexKey = "batch.kubernetes.io/job-completion-index";
const failureCountKey = "batch.kubernetes.io/job-index-failure-count";
const ignoredCountKey = "batch.kubernetes.io/job-index-ignored-failure-count";
const indexVariable = "JOB_COMPLETION_INDEX";
const longestGenerateName = 58;

/** The completion index of a Pod; undefined when it is missing or invalid. */
export function indexOf({ metadata }: KubeObject): number | undefined {
  const text = metadata.annotations?.[indexKey];
  return text !== undefined && /^\+?\d+$/.test(text) ? Number(text) : undefined;
}

/** The index of a Pod, if it is below the Job's completions. */
export function validIndexOf(pod: KubeObject, job: KubeObject): number | undefined {
  const index = indexOf(pod);
  return index !== undefined && index < (completionsOf(job) ?? 0) ? index : undefined;
}

export function indexesOf(pods: readonly KubeObject[]): Set<number> {
  return new Set(pods.flatMap((pod) => indexOf(pod) ?? []));
}

export function byIndex(a: KubeObject, b: KubeObject): number {
  return (indexOf(a) ?? -1) - (indexOf(b) ?? -1);
}

/** The succeeded indexes: those of the status, and those of Pods that are not counted yet. */
export function succeededIndexes(job: KubeObject, jobStatus: JobStatus, pods: readonly KubeObject[]): Intervals {
  const fresh = pods.filter((pod) => podPhaseOf(pod) === "Succeeded" && isTracked(pod)).flatMap((pod) => validIndexOf(pod, job) ?? []);
  return withIndexes(parseIntervals(jobStatus.completedIndexes, completionsOf(job) ?? 0), fresh);
}

/** The same for indexes that have failed as often as allowed. */
export function failedIndexes(job: KubeObject, jobStatus: JobStatus, pods: readonly KubeObject[]): Intervals {
  const fresh = pods.filter((pod) => isTracked(pod) && hasFailedItsIndex(job, pod)).flatMap((pod) => validIndexOf(pod, job) ?? []);
  return withIndexes(parseIntervals(jobStatus.failedIndexes ?? "", completionsOf(job) ?? 0), fresh);
}

function hasFailedItsIndex(job: KubeObject, pod: KubeObject): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action } = matchPodFailurePolicy(job, pod);
  if (action === "FailIndex") return true;
  return action !== "Ignore" && countIn(pod, failureCountKey) >= (backoffLimitPerIndex(job) ?? 0);
}

/**
 * For each index to retry, its last failed Pod. That Pod keeps its finalizer until its replacement is created, which
 * takes over the count of failures.
 */
export function podsToReplace(
  job: KubeObject,
  pods: readonly KubeObject[],
  settled: { succeeded: Intervals; failed: Intervals; active: ReadonlySet<number> },
): Map<number, KubeObject> {
  const last = new Map<number, KubeObject>();
  for (const pod of pods) {
    const index = validIndexOf(pod, job);
    if (index === undefined || !isTracked(pod) || !isPodFailed(pod, job)) continue;
    if (hasIndex(settled.succeeded, index) || hasIndex(settled.failed, index) || settled.active.has(index)) continue;
    const other = last.get(index);
    if (other === undefined || (failuresIn(other) <= failuresIn(pod) && finishedMs(pod) >= finishedMs(other))) last.set(index, pod);
  }
  return last;
}

/** The remaining back-off of an index after `failed`. */
export function indexRemainingMs(failed: KubeObject | undefined, nowMs: number): number {
  return failed === undefined ? 0 : backoffRemainingMs({ count: failuresIn(failed) + 1, lastMs: finishedMs(failed) }, nowMs);
}

function failuresIn(pod: KubeObject): number {
  return countIn(pod, failureCountKey) + countIn(pod, ignoredCountKey);
}

function countIn({ metadata }: KubeObject, key: string): number {
  const text = metadata.annotations?.[key] ?? "";
  return /^\d+$/.test(text) && Number(text) <= 2 ** 31 - 1 ? Number(text) : 0;
}

/** The template for one index of a Job; `replaced` is the failed Pod that the new one replaces. */
export function indexTemplate(job: KubeObject, template: Fields, index: number, replaced: KubeObject | undefined): Fields {
  const mark = { [indexKey]: String(index) };
  const metadata = fieldsAt(template, "metadata");
  const spec = fieldsAt(template, "spec");
  const counts = backoffLimitPerIndex(job) === undefined ? {} : inheritedCounts(job, replaced);
  return {
    ...template,
    metadata: {
      ...metadata,
      labels: { ...mapAt(metadata, "labels"), ...mark },
      annotations: { ...mapAt(metadata, "annotations"), ...mark, ...counts },
    },
    spec: {
      ...spec,
      hostname: `${job.metadata.name}-${index}`,
      ...("initContainers" in spec ? { initContainers: listAt(spec, "initContainers").map(withIndexVariable) } : {}),
      containers: listAt(spec, "containers").map(withIndexVariable),
    },
  };
}

function inheritedCounts(job: KubeObject, replaced: KubeObject | undefined): Readonly<Record<string, string>> {
  if (replaced === undefined) return { [failureCountKey]: "0" };
  const counted = countsAsFailure(job, replaced);
  const ignored = countIn(replaced, ignoredCountKey) + (counted ? 0 : 1);
  return {
    [failureCountKey]: String(countIn(replaced, failureCountKey) + (counted ? 1 : 0)),
    ...(ignored === 0 ? {} : { [ignoredCountKey]: String(ignored) }),
  };
}

function withIndexVariable(container: Fields): Fields {
  const env = listAt(container, "env");
  if (env.some(({ name }) => name === indexVariable)) return container;
  const fieldRef = { apiVersion: "v1", fieldPath: `metadata.labels['${indexKey}']` };
  return { ...container, env: [...env, { name: indexVariable, valueFrom: { fieldRef } }] };
}

/** The generateName of an index's Pods; it keeps the index when the Job's name is truncated. */
export function indexPrefix(name: string, index: number): string {
  const suffix = `-${index}-`;
  return name.slice(0, longestGenerateName - suffix.length) + suffix;
}

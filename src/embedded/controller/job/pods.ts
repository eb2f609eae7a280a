import { fieldsAt, numberAt, stringsAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { isRefusal, type Refusal } from "../../refusal.ts";
import {
  byDeletion,
  createPod,
  deletePod,
  isNamespaceEnding,
  isReady,
  isTerminating,
  removeFinalizer,
  slowStart,
  type PodMaker,
} from "../pod/index.ts";
import { remainingMs } from "./backoff.ts";
import { byIndex, indexesOf, indexOf, indexPrefix, indexRemainingMs, indexTemplate } from "./completion-index.ts";
import { firstMissing, merge, withIndexes } from "./interval.ts";
import {
  backoffLimitPerIndex,
  completionsOf,
  isIndexed,
  isSuspended,
  replacesFailedOnly,
  source,
  templateOf,
  trackingFinalizer,
} from "./job.ts";
import type { JobSync } from "./sync.ts";

/** How many Pods one round makes or ends at most. */
const burst = 500;

/** What came of a round: when to look again, and the refusal that stopped it. */
export type Round = { readonly againMs?: number; readonly refusal?: Refusal };

/**
 * Makes or ends Pods so that as many are active as should be. It does one or the other, never both.
 *
 * Models pkg/controller/job/job_controller.go manageJob
 */
export function managePods(sync: JobSync): Round {
  const { job, active, tally } = sync;
  if (isSuspended(job)) return endPods(sync, surplusPods(job, active, active.length), "untracked");
  const wanted = wantedActive(sync);
  const surplus = surplusPods(job, active, Math.max(0, active.length - wanted)).slice(0, burst);
  if (surplus.length > 0) return endPods(sync, surplus, "untracked");
  const leaving = replacesFailedOnly(job) ? tally.terminating : 0;
  const missing = Math.min(wanted - leaving - active.length, burst);
  return missing > 0 ? makePods(sync, missing) : {};
}

function wantedActive({ job, active, succeeded }: JobSync): number {
  const parallelism = numberAt(job, "spec.parallelism", 1);
  const completions = completionsOf(job);
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

/**
 * Ends Pods. `untracked` ones lose their finalizer first and are never counted; the others keep it, to be counted.
 */
export function endPods(sync: JobSync, pods: readonly KubeObject[], tracking: "tracked" | "untracked"): Round {
  const { world, job, tally } = sync;
  let refusal: Refusal | undefined;
  for (const pod of pods) {
    try {
      if (tracking === "untracked") removeFinalizer(world, pod, trackingFinalizer);
      deletePod({ world, owner: job, source }, pod);
      tally.active--;
      tally.terminating++;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      refusal ??= error;
    }
    if (isReady(pod)) tally.ready--;
  }
  return refusal === undefined ? {} : { refusal };
}

/** At least `count` Pods to end; for indexed Jobs all that share an index with another or have none of use. */
function surplusPods(job: KubeObject, active: readonly KubeObject[], count: number): readonly KubeObject[] {
  const useless = isIndexed(job) ? doubles(job, active) : [];
  if (useless.length >= count) return useless;
  const others = active.filter((pod) => !useless.includes(pod));
  return [...useless, ...byDeletion(others).slice(0, count - useless.length)];
}

function doubles(job: KubeObject, active: readonly KubeObject[]): readonly KubeObject[] {
  const completions = completionsOf(job) ?? 0;
  const byTheirIndex = Map.groupBy(active.toSorted(byIndex), (pod) => indexOf(pod) ?? -1);
  return [...byTheirIndex].flatMap(([index, pods]) => (index < 0 || index >= completions ? pods : byDeletion(pods).slice(0, -1)));
}

function makePods(sync: JobSync, missing: number): Round {
  const { job, nowMs, failures } = sync;
  const perIndex = backoffLimitPerIndex(job) !== undefined;
  const waitMs = perIndex ? 0 : remainingMs(failures, nowMs);
  if (waitMs > 0) return { againMs: waitMs };
  if (!isIndexed(job))
    return create(
      sync,
      Array.from({ length: missing }, () => undefined),
    );

  const pending = pendingIndexes(sync, missing);
  if (!perIndex) return create(sync, pending);
  const waits = new Map(pending.map((index) => [index, indexRemainingMs(sync.replaceable.get(index), nowMs)]));
  const due = pending.filter((index) => waits.get(index) === 0);
  return pending.length > 0 && due.length === 0 ? { againMs: Math.min(...waits.values()) } : create(sync, due);
}

/** The lowest indexes that are neither decided nor under way. */
function pendingIndexes({ job, active, pods, succeededIndexes, failedIndexes }: JobSync, count: number): number[] {
  const leaving = replacesFailedOnly(job) ? indexesOf(pods.filter(isTerminating)) : [];
  const taken = withIndexes(withIndexes(succeededIndexes, indexesOf(active)), leaving);
  return firstMissing(merge(taken, failedIndexes ?? []), count, completionsOf(job) ?? 0);
}

function create(sync: JobSync, indexes: readonly (number | undefined)[]): Round {
  const { world, job, tally } = sync;
  const template = tracked(templateOf(job));
  const maker = { world, owner: job, source };
  const { successes, refusal } = slowStart(indexes.length, (place) => createOne(sync, maker, template, indexes[place]));
  tally.active += successes;
  return refusal === undefined ? {} : { refusal };
}

function createOne({ job, replaceable }: JobSync, maker: PodMaker, template: Fields, index: number | undefined): void {
  try {
    if (index === undefined) createPod(maker, template);
    else {
      const generateName = indexPrefix(job.metadata.name, index);
      createPod(maker, indexTemplate(job, template, index, replaceable.get(index)), { generateName });
    }
  } catch (error) {
    if (!isNamespaceEnding(error)) throw error;
  }
}

function tracked(template: Fields): Fields {
  const metadata = fieldsAt(template, "metadata");
  const finalizers = stringsAt(metadata, "finalizers");
  if (finalizers.includes(trackingFinalizer)) return template;
  return { ...template, metadata: { ...metadata, finalizers: [...finalizers, trackingFinalizer] } };
}

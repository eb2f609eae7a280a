import type { KubeObject } from "../../../core/object/index.ts";
import type { World } from "../controller.ts";
import { isActive, isReady, isTerminating, phaseOf } from "../pod/index.ts";
import type { Failures } from "./backoff.ts";
import { indexesOf, podsToReplace, succeededIndexes, failedIndexes, validIndexOf } from "./completion-index.ts";
import { countsAsFailure } from "./failure-policy.ts";
import { countOf, type Intervals } from "./interval.ts";
import { backoffLimitPerIndex, isIndexed, isPodFailed, isTracked } from "./job.ts";
import { tallyOf, type Tally } from "./tally.ts";

/** One look at a Job: what its Pods have come to, and the status that says so. */
export type JobSync = {
  readonly world: World;
  readonly nowMs: number;
  job: KubeObject;
  readonly pods: readonly KubeObject[];
  readonly active: readonly KubeObject[];
  readonly tally: Tally;
  /** Ended since the last look. */
  readonly newSucceeded: readonly KubeObject[];
  readonly newFailed: readonly KubeObject[];
  /** All that have ended so, counted or not. */
  readonly succeeded: number;
  readonly failed: number;
  /** Indexed Jobs only; empty for others. */
  readonly succeededIndexes: Intervals;
  /** Jobs with a limit for each index only. */
  readonly failedIndexes: Intervals | undefined;
  readonly replaceable: ReadonlyMap<number, KubeObject>;
  failures: Failures;
};

/** Models the first half of pkg/controller/job/job_controller.go syncJob */
export function lookAt(world: World, job: KubeObject, pods: readonly KubeObject[], failures: Failures): JobSync {
  const tally = tallyOf(job);
  const active = pods.filter(isActive);
  tally.active = active.length;
  tally.ready = active.filter(isReady).length;
  tally.terminating = pods.filter(isTerminating).length;
  const { uncounted } = tally;

  const fresh = pods.filter((pod) => isTracked(pod) && (!isIndexed(job) || validIndexOf(pod, job) !== undefined));
  const newSucceeded = fresh.filter((pod) => phaseOf(pod) === "Succeeded" && !isListed(pod, uncounted.succeeded));
  const newFailed = fresh.filter((pod) => isPodFailed(pod, job) && !isListed(pod, uncounted.failed));

  const indexes = isIndexed(job) ? succeededIndexes(job, tally, pods) : [];
  const lost = isIndexed(job) && backoffLimitPerIndex(job) !== undefined ? failedIndexes(job, tally, pods) : undefined;
  const settled = { succeeded: indexes, failed: lost ?? [], active: indexesOf(active) };
  return {
    world,
    nowMs: world.clock.now(),
    job,
    pods,
    active,
    tally,
    newSucceeded,
    newFailed,
    succeeded: isIndexed(job) ? countOf(indexes) : tally.succeeded + newSucceeded.length + uncounted.succeeded.length,
    failed: tally.failed + newFailed.filter((pod) => countsAsFailure(job, pod)).length + uncounted.failed.length,
    succeededIndexes: indexes,
    failedIndexes: lost,
    replaceable: lost === undefined ? new Map() : podsToReplace(job, pods, settled),
    failures,
  };
}

function isListed({ metadata }: KubeObject, uids: readonly string[]): boolean {
  return uids.includes(metadata.uid ?? "");
}

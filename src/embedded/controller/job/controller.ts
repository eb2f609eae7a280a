import type { KubeObject } from "../../../core/object/index.ts";
import { itself, partsOf, type MakeController, type World } from "../controller.ts";
import { claim, Orphans, ownedPods, selectorOf, watchOwned } from "../owner/index.ts";
import { timestamp } from "../pod/index.ts";
import { failuresAfter, noFailures, type Failures } from "./backoff.ts";
import { completionsOf, isFinished, isManagedElsewhere, isSuspended, jobs, source, trackingFinalizer } from "./job.ts";
import { endPods, managePods, type Round } from "./pods.ts";
import { lookAt, type JobSync } from "./sync.ts";
import { conditionAt, ensureCondition } from "./tally.ts";
import { track } from "./track.ts";
import { completionsReached, deadlineInMs, verdictOn } from "./verdict.ts";

export const jobController: MakeController = (world) => {
  const { api } = world;
  const orphans = new Orphans();
  /** Only paces new attempts: were it lost, the next one would come sooner. */
  const failures = new Map<string, Failures>();

  return {
    name: source,
    watches: {
      [jobs]: itself,
      pods: watchOwned({ api, kind: "Job", resource: jobs, orphans }),
    },
    reconcile: (key) => {
      const { namespace, name } = partsOf(key);
      const job = api.read(jobs, namespace, name);
      if (job === undefined || isFinished(job)) failures.delete(key);
      if (job === undefined || isFinished(job) || isManagedElsewhere(job)) return undefined;
      const sync = lookAt(world, job, claimPods(world, job, orphans), failures.get(key) ?? noFailures);
      sync.failures = failuresAfter(sync.failures, sync.newSucceeded, sync.newFailed);
      const round = reconcile(sync);
      failures.set(key, sync.failures);
      if (round.refusal !== undefined) throw round.refusal;
      return round.againMs;
    },
  };
};

function claimPods({ api }: World, job: KubeObject, orphans: Orphans): KubeObject[] {
  const selector = selectorOf(job);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const terms = { api, owner: job, resource: "pods", matches, finalizer: trackingFinalizer };
  return claim(terms, ownedPods(api, job), orphans.in(job.metadata.namespace ?? ""));
}

/** Models pkg/controller/job/job_controller.go syncJob */
function reconcile(sync: JobSync): Round {
  const { job, tally, active, nowMs } = sync;
  if (tally.startTime === undefined && !isSuspended(job)) tally.startTime = timestamp(nowMs);
  let verdict = verdictOn(sync);
  let round: Round = {};
  if (verdict !== undefined) {
    round = endPods(sync, active, "tracked");
    if (round.refusal !== undefined) verdict = undefined;
  } else {
    if (job.metadata.deletionTimestamp === undefined) round = managePods(sync);
    if (isComplete(sync)) verdict = completionsReached;
    else if (job.metadata.deletionTimestamp === undefined) noteSuspension(sync);
  }
  track(sync, verdict);
  return verdict === undefined ? { ...round, ...soonest(round.againMs, deadlineInMs(sync)) } : round;
}

function soonest(a: number | undefined, b: number | undefined): { againMs?: number } {
  if (a === undefined && b === undefined) return {};
  return { againMs: Math.min(a ?? Infinity, b ?? Infinity) };
}

function isComplete({ job, tally, succeeded }: JobSync): boolean {
  return tally.active === 0 && succeeded >= (completionsOf(job) ?? 1);
}

/** A Job that goes on begins its time anew. */
function noteSuspension({ world, job, tally, nowMs }: JobSync): void {
  const suspended = isSuspended(job);
  const said = suspended ? { reason: "JobSuspended", message: "Job suspended" } : { reason: "JobResumed", message: "Job resumed" };
  const next = conditionAt(nowMs, { type: "Suspended", status: suspended ? "True" : "False", ...said });
  const conditions = ensureCondition(tally.conditions, next);
  if (conditions === tally.conditions) return;
  tally.conditions = conditions;
  if (!suspended) tally.startTime = timestamp(nowMs);
  world.record(job, { type: "Normal", reason: suspended ? "Suspended" : "Resumed", message: said.message, source });
}

import type { KubeObject } from "../../../core/object/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";
import { claimObjects, OrphanIndex, ownedPods, ownerSelectorOf, watchOwned } from "../owner/index.ts";
import { timestamp } from "../pod/index.ts";
import { backoffRecordAfter, emptyBackoffRecord, type BackoffRecord } from "./backoff-record.ts";
import { completionsOf, isFinished, isManagedElsewhere, isSuspended, jobs, jobSource, trackingFinalizer } from "./job-spec.ts";
import { deleteJobPods, manageJob, type ManageJobResult } from "./manage-job.ts";
import { jobSyncOf, type JobSync } from "./job-sync.ts";
import { newJobCondition, ensureJobConditionStatus } from "./job-status.ts";
import { trackJobStatusAndRemoveFinalizers } from "./track-job-status.ts";
import { completionsReached, deadlineInMs, decideJob } from "./job-decision.ts";

export const jobController: ControllerConstructor = (context) => {
  const { api } = context;
  const orphans = new OrphanIndex();
  /** Only delays retries: losing it makes the next one come sooner. */
  const failures = new Map<string, BackoffRecord>();

  return {
    name: jobSource,
    watches: {
      [jobs]: enqueueObject,
      pods: watchOwned({ api, kind: "Job", resource: jobs, orphans }),
    },
    reconcile: (key) => {
      const { namespace, name } = splitKey(key);
      const job = api.read(jobs, namespace, name);
      if (job === undefined || isFinished(job)) failures.delete(key);
      if (job === undefined || isFinished(job) || isManagedElsewhere(job)) return undefined;
      const sync = jobSyncOf(context, job, claimPods(context, job, orphans), failures.get(key) ?? emptyBackoffRecord);
      sync.backoff = backoffRecordAfter(sync.backoff, sync.newSucceeded, sync.newFailed);
      const round = reconcile(sync);
      failures.set(key, sync.backoff);
      if (round.statusError !== undefined) throw round.statusError;
      return round.requeueAfterMs;
    },
  };
};

function claimPods({ api }: EmbeddedControllerContext, job: KubeObject, orphans: OrphanIndex): KubeObject[] {
  const selector = ownerSelectorOf(job);
  const matches = ({ metadata }: KubeObject) => selector.matches(metadata.labels);
  const terms = { api, owner: job, resource: "pods", matches, finalizer: trackingFinalizer };
  return claimObjects(terms, ownedPods(api, job), orphans.in(job.metadata.namespace ?? ""));
}

/** Models pkg/controller/job/job_controller.go syncJob */
function reconcile(sync: JobSync): ManageJobResult {
  const { job, jobStatus, active, nowMs } = sync;
  if (jobStatus.startTime === undefined && !isSuspended(job)) jobStatus.startTime = timestamp(nowMs);
  let decision = decideJob(sync);
  let round: ManageJobResult = {};
  if (decision !== undefined) {
    round = deleteJobPods(sync, active, "tracked");
    if (round.statusError !== undefined) decision = undefined;
  } else {
    if (job.metadata.deletionTimestamp === undefined) round = manageJob(sync);
    if (isComplete(sync)) decision = completionsReached;
    else if (job.metadata.deletionTimestamp === undefined) updateSuspendedCondition(sync);
  }
  trackJobStatusAndRemoveFinalizers(sync, decision);
  return decision === undefined ? { ...round, ...soonest(round.requeueAfterMs, deadlineInMs(sync)) } : round;
}

function soonest(a: number | undefined, b: number | undefined): { requeueAfterMs?: number } {
  if (a === undefined && b === undefined) return {};
  return { requeueAfterMs: Math.min(a ?? Infinity, b ?? Infinity) };
}

function isComplete({ job, jobStatus, succeeded }: JobSync): boolean {
  return jobStatus.active === 0 && succeeded >= (completionsOf(job) ?? 1);
}

/** A resumed Job gets a new start time. */
function updateSuspendedCondition({ context, job, jobStatus, nowMs }: JobSync): void {
  const suspended = isSuspended(job);
  const content = suspended ? { reason: "JobSuspended", message: "Job suspended" } : { reason: "JobResumed", message: "Job resumed" };
  const next = newJobCondition(nowMs, { type: "Suspended", status: suspended ? "True" : "False", ...content });
  const conditions = ensureJobConditionStatus(jobStatus.conditions, next);
  if (conditions === jobStatus.conditions) return;
  jobStatus.conditions = conditions;
  if (!suspended) jobStatus.startTime = timestamp(nowMs);
  context.record(job, { type: "Normal", reason: suspended ? "Suspended" : "Resumed", message: content.message, source: jobSource });
}

import type { KubeObject } from "../../../core/object/index.ts";
import { phaseOf, removeFinalizer } from "../pod/index.ts";
import { byIndex, validIndexOf } from "./completion-index.ts";
import { countsAsFailure } from "./failure-policy.ts";
import { countOf, intervalsText } from "./interval.ts";
import { completionsOf, isIndexed, isPodFailed, isTracked, source, trackingFinalizer } from "./job.ts";
import type { JobSync } from "./sync.ts";
import { conditionAt, ensureCondition, saveTally, type JobCondition } from "./tally.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Counts the Pods that have ended, each once whatever happens in between: they are listed in the status, then let go of
 * their finalizer, then counted and taken off the list. A Job that is decided ends when none is left to count or to go.
 *
 * Models pkg/controller/job/job_controller.go trackJobStatusAndRemoveFinalizers
 */
export function track(sync: JobSync, verdict: Verdict | undefined): void {
  const { world, tally } = sync;
  settleUncounted(sync, new Set(sync.pods.filter(isTracked).map(({ metadata }) => metadata.uid)));
  const ended = sync.pods.filter((pod) => isTracked(pod) && mayLetGo(sync, pod, verdict)).toSorted(byIndex);
  listEnded(sync, ended, verdict);
  if (verdict !== undefined) tellVerdict(sync, verdict);
  sync.job = saveTally(world, sync.job, tally);

  for (const pod of ended) removeFinalizer(world, pod, trackingFinalizer);
  const left = new Set(sync.pods.filter((pod) => isTracked(pod) && !ended.includes(pod)).map(({ metadata }) => metadata.uid));
  settleUncounted(sync, left);
  const finished = verdict === undefined ? undefined : finish(sync, verdict);
  sync.job = saveTally(world, sync.job, tally);
  if (finished !== undefined) tellFinished(sync, finished);
}

function mayLetGo({ job, replaceable }: JobSync, pod: KubeObject, verdict: Verdict | undefined): boolean {
  if (job.metadata.deletionTimestamp !== undefined || verdict !== undefined || phaseOf(pod) === "Succeeded") return true;
  if (!isPodFailed(pod, job)) return false;
  const index = validIndexOf(pod, job);
  return index === undefined || replaceable.get(index)?.metadata.uid !== pod.metadata.uid;
}

/** Puts Pods that have ended on the lists of those to be counted. An index that succeeded is its own proof. */
function listEnded(sync: JobSync, ended: readonly KubeObject[], verdict: Verdict | undefined): void {
  const { job, tally } = sync;
  const succeeded = [...tally.uncounted.succeeded];
  const failed = [...tally.uncounted.failed];
  for (const pod of ended) {
    const uid = pod.metadata.uid ?? "";
    if (phaseOf(pod) === "Succeeded" && !failed.includes(uid)) {
      if (!isIndexed(job) && !succeeded.includes(uid)) succeeded.push(uid);
    } else if (isPodFailed(pod, job) || verdict?.type === "failure") {
      const useful = !isIndexed(job) || validIndexOf(pod, job) !== undefined;
      if (useful && !failed.includes(uid) && countsAsFailure(job, pod)) failed.push(uid);
    }
  }
  tally.uncounted = { succeeded, failed };
  if (isIndexed(job)) noteIndexes(sync);
}

function noteIndexes({ tally, succeededIndexes, failedIndexes }: JobSync): void {
  tally.succeeded = countOf(succeededIndexes);
  tally.completedIndexes = intervalsText(succeededIndexes);
  tally.failedIndexes = failedIndexes === undefined ? undefined : intervalsText(failedIndexes);
}

/** Counts what is listed and carries no finalizer any more. */
function settleUncounted({ tally }: JobSync, tracked: ReadonlySet<string | undefined>): void {
  const { succeeded, failed } = tally.uncounted;
  const left = { succeeded: succeeded.filter((uid) => tracked.has(uid)), failed: failed.filter((uid) => tracked.has(uid)) };
  tally.succeeded += succeeded.length - left.succeeded.length;
  tally.failed += failed.length - left.failed.length;
  tally.uncounted = left;
}

/** Says what is decided before the Pods may go, so that it cannot be decided otherwise later. */
function tellVerdict({ tally, nowMs }: JobSync, { type, reason, message, told }: Verdict): void {
  if (told) return;
  const interim = type === "failure" ? "FailureTarget" : "SuccessCriteriaMet";
  tally.conditions = [...tally.conditions, conditionAt(nowMs, { type: interim, status: "True", reason, message })];
}

/** Ends the Job unless Pods are still to be counted or on their way out. Answers the condition that says so. */
function finish({ tally, nowMs }: JobSync, { type, reason, message }: Verdict): JobCondition | undefined {
  const { uncounted, terminating } = tally;
  if (uncounted.succeeded.length + uncounted.failed.length > 0 || terminating > 0) return undefined;
  const last = conditionAt(nowMs, { type: type === "failure" ? "Failed" : "Complete", status: "True", reason, message });
  tally.conditions = ensureCondition(tally.conditions, last);
  if (type === "success") tally.completionTime = last.lastTransitionTime;
  return last;
}

function tellFinished({ world, job, tally }: JobSync, { type, reason = "", message = "" }: JobCondition): void {
  if (type === "Failed") return world.record(job, { type: "Warning", reason, message, source });
  if (tally.succeeded > (completionsOf(job) ?? Infinity)) {
    const tooMany = "Too many succeeded pods running after completion count reached";
    world.record(job, { type: "Warning", reason: "TooManySucceededPods", message: tooMany, source });
  }
  world.record(job, { type: "Normal", reason: "Completed", message: "Job completed", source });
}

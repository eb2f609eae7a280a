import {
  deployProfile,
  isWaitingForHealth,
  owningProfile,
  type AddonRequest,
  type AddonContext,
  type AddonOutcome,
} from "../../deploy/index.ts";
import { finalizers } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { collectResult } from "./collect-result.ts";
import { hasFinalizer } from "./withdraw-summary.ts";
import { dependencyStatusOf } from "./dependency-status.ts";
import { clusterOfSummaryKey, summaryKey } from "./summary-key.ts";
import { addonContextOf, type SummaryControllerState, type TargetContext } from "./summary-controller-state.ts";
import { writeClusterReport } from "./write-cluster-report.ts";
import { resetDisplaced, requeueFailed } from "./conflicts.ts";
import { patchSummaryStatus } from "./patch-summary-status.ts";
import { failureMessageIn, recordFailure } from "./record-failure.ts";

/** Brings what a ClusterSummary asks for into its cluster, once all that it depends on is there, and keeps it so. */
export async function deploySummary(written: KubeObject, target: TargetContext, state: SummaryControllerState): Promise<void> {
  const { context, summaryIndex, references, syncState } = state;
  const { key, cluster, signal } = target;
  const clearance = dependencyStatusOf(written, summaryIndex, (other) => syncState.isSynced(other, summaryIndex.find(other)));
  if (!clearance.isReady)
    return clearance.message === undefined ? undefined : patchSummaryStatus(written, { dependencies: clearance.message }, context, signal);
  const summary = await ensureFinalizer(written, context, signal);
  syncState.begin(key);
  const pass = references.track(key);
  const addonContext = { ...addonContextOf(context, target), readReference: pass.read };
  const request = { summary, cluster: cluster.managed, dependencies: clearance.message ?? "" };
  const startedAt = context.hub.clock.now();
  const { outcome, removed } = await collectResult(deployProfile(request, addonContext, { signal }));
  if (outcome.summary !== summary) countDeploy(outcome, startedAt, context);
  await writeOutcome(outcome, target, state);
  if (removed) requeueFailed(outcome.summary, state);
  const last = await watchAndRepair(request, outcome, addonContext, target, state);
  pass.commit();
  finish(last, target, state);
}

/** What only a finalizer keeps must have it before anything is deployed for it. Whoever makes it should make it with one. */
async function ensureFinalizer(summary: KubeObject, { hub }: ControllerContext, signal: AbortSignal): Promise<KubeObject> {
  if (hasFinalizer(summary)) return summary;
  const { finalizers: others = [], resourceVersion } = summary.metadata;
  const patch = { metadata: { resourceVersion, finalizers: [...others, finalizers.ClusterSummary] } };
  return hub.patch(refOf(summary), { type: "merge", patch }, { signal });
}

function countDeploy({ settled, final }: AddonOutcome, startedAt: number, { telemetry, hub }: ControllerContext): void {
  const outcome = settled ? "provisioned" : final ? "refused" : "failed";
  telemetry.count("sluice_deploys_total", { outcome });
  telemetry.observeMs("sluice_deploy_seconds", hub.clock.now() - startedAt, { outcome });
}

/** Writes what a deploy has come to where people look for it. */
async function writeOutcome(outcome: AddonOutcome, { key, signal }: TargetContext, state: SummaryControllerState): Promise<void> {
  const { context, configurations, queue } = state;
  const cluster = clusterIdOf(clusterOfSummaryKey(key));
  const owner = owningProfile(outcome.summary);
  if (owner === undefined) return;
  // It is written in its time, for many profiles together, and nobody waits for that.
  configurations.update(cluster, { owner, present: true, features: outcome.features }, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    context.telemetry.failureReporter("summaries")({ key, error, failures: 1, requeueAfterMs: 0 });
    queue.add(key);
  });
  await Promise.all([
    context.cache.waitForWrites([outcome.summary], signal),
    writeClusterReport(context, cluster, owner, outcome.report, signal),
    resetDisplaced(outcome, state, signal),
  ]);
}

/** Listens to what may change in the cluster, and puts back what has. Gives how all stands then. */
async function watchAndRepair(
  request: AddonRequest,
  outcome: AddonOutcome,
  addonContext: AddonContext,
  target: TargetContext,
  { context, driftRepairer }: SummaryControllerState,
): Promise<AddonOutcome> {
  const { key, link, signal } = target;
  await driftRepairer.watch(key, request, outcome, link, addonContext, { signal });
  if (!outcome.settled) return outcome;
  const mended = await driftRepairer.repair(key, { ...request, summary: outcome.summary }, addonContext, { signal });
  if (mended === undefined || mended.settled) return outcome;
  await context.cache.waitForWrites([mended.summary], signal);
  return mended;
}

/** What is well is told to those who wait for it; what is not, to people, and is tried again where that can help. */
function finish(
  outcome: AddonOutcome,
  { key, cluster }: TargetContext,
  { context, queue, summaryIndex, syncState }: SummaryControllerState,
): void {
  const { summary, final, status } = outcome;
  const complaint = failureMessageIn(outcome);
  if (complaint === undefined) {
    if (syncState.complete(key, summary)) for (const dependent of summaryIndex.dependentsOf(summary)) queue.add(summaryKey(dependent));
    return;
  }
  syncState.invalidate(key);
  recordFailure(summary, final ? "Refused" : "DeployFailed", complaint, context);
  // We hear of what is wrong as soon as it changes.
  if (final || isWaitingForHealth(status)) return;
  // It may have failed because the cluster does not answer: then nothing is tried before it does.
  context.fleet.probeNow(cluster.key);
  throw new Fault(complaint);
}

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
import { summaryKeyOf } from "./summary-key.ts";
import { addonContextOf, type SummaryControllerState, type TargetContext } from "./summary-controller-state.ts";
import { contestedBy, rivalsAfter } from "./contested-objects.ts";
import { updateConfiguration } from "./update-configuration.ts";
import { writeClusterReport } from "./write-cluster-report.ts";
import { resetDisplaced, requeueFailed } from "./conflicts.ts";
import { patchSummaryStatus } from "./patch-summary-status.ts";
import { logOutcome } from "./log-outcome.ts";
import { failureMessageIn, recordFailure } from "./record-failure.ts";

/** Deploys a ClusterSummary once its dependencies are deployed, watches what it deployed and repairs drift. */
export async function deploySummary(written: KubeObject, target: TargetContext, state: SummaryControllerState): Promise<void> {
  const { context, summaryIndex, references, syncState } = state;
  const { key, cluster, signal } = target;
  const dependencies = dependencyStatusOf(written, summaryIndex, (other) => syncState.isSynced(other, summaryIndex.find(other)));
  if (!dependencies.isReady)
    return dependencies.message === undefined
      ? undefined
      : patchSummaryStatus(written, { dependencies: dependencies.message }, context, signal);
  const summary = await ensureFinalizer(written, context, signal);
  syncState.begin(key);
  const pass = references.track(key);
  const contested = await readContested(summary, target, state);
  const addonContext = { ...addonContextOf(state, target), ...contested, readReference: pass.read };
  const request = { summary, cluster: cluster.managed, dependencies: dependencies.message ?? "" };
  const startedAt = context.hub.clock.now();
  const result = await collectResult(deployProfile(request, addonContext, { signal }));
  const { outcome, changes } = result;
  if (outcome.summary !== summary) {
    countDeploy(outcome, startedAt, context);
    logOutcome(outcome.report === undefined ? "deployed" : "dry run", written, result, startedAt, context, target.access);
  }
  await writeOutcome(outcome, target, state);
  if (changes.deleted > 0) requeueFailed(outcome.summary, state);
  for (const rival of rivalsAfter(outcome, written, summaryIndex)) state.queue.add(rival);
  const last = await watchAndRepair(request, outcome, addonContext, target, state);
  pass.commit();
  finish(last, target, state);
}

/** The objects that others want, and at first those that name another owner. */
async function readContested(
  summary: KubeObject,
  { key, connection, signal }: TargetContext,
  { summaryIndex, ownershipAudit }: SummaryControllerState,
): Promise<Pick<AddonContext, "contested" | "contestedReleases">> {
  const foreign = await ownershipAudit.takeForeignObjects(summary, key, connection, { signal });
  const { contested, contestedReleases } = contestedBy(summary, key, summaryIndex);
  return { contested: [...contested, ...foreign], contestedReleases };
}

/** The finalizer must be there before anything is deployed. The profile controller creates ClusterSummaries with it. */
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

/** Writes a deploy's outcome to the ClusterConfiguration, the ClusterReport and the ClusterSummaries that lost objects to it. */
async function writeOutcome(outcome: AddonOutcome, { key, signal }: TargetContext, state: SummaryControllerState): Promise<void> {
  const { context } = state;
  const cluster = clusterIdOf(key.cluster);
  const owner = owningProfile(outcome.summary);
  if (owner === undefined) return;
  updateConfiguration(key, { owner, present: true, outcome }, state, signal);
  await Promise.all([
    context.cache.waitForWrites([outcome.summary], signal),
    writeClusterReport(context, cluster, owner, outcome.report, signal),
    resetDisplaced(outcome, state, signal),
  ]);
}

/** Watches the deployed objects and repairs those that have drifted. Gives the outcome after that. */
async function watchAndRepair(
  request: AddonRequest,
  outcome: AddonOutcome,
  addonContext: AddonContext,
  target: TargetContext,
  { context, driftRepairer }: SummaryControllerState,
): Promise<AddonOutcome> {
  const { key, connection, signal } = target;
  await driftRepairer.watch(key, request, outcome, connection, addonContext, { signal });
  if (!outcome.settled) return outcome;
  const startedAt = context.hub.clock.now();
  const repair = await driftRepairer.repair(key, { ...request, summary: outcome.summary }, addonContext, { signal });
  if (repair === undefined) return outcome;
  logOutcome("repaired drift", outcome.summary, repair, startedAt, context, target.access);
  if (repair.outcome.settled) return outcome;
  await context.cache.waitForWrites([repair.outcome.summary], signal);
  return repair.outcome;
}

/** Requeues the dependents of what is deployed. A failure becomes Events and, where a retry can help, a Fault. */
function finish(
  outcome: AddonOutcome,
  { key, cluster }: TargetContext,
  { context, queue, summaryIndex, syncState }: SummaryControllerState,
): void {
  const { summary, final, status } = outcome;
  const failure = failureMessageIn(outcome);
  if (failure === undefined) {
    if (syncState.complete(key, summary)) for (const dependent of summaryIndex.dependentsOf(summary)) queue.add(summaryKeyOf(dependent));
    return;
  }
  syncState.invalidate(key);
  recordFailure(summary, final ? "Refused" : "DeployFailed", failure, context);
  // A watch or a new spec requeues it.
  if (final || isWaitingForHealth(status)) return;
  // The cluster may be unreachable: the fleet probes it, and nothing is retried before it answers.
  context.fleet.probeNow(cluster.key);
  throw new Fault(failure);
}

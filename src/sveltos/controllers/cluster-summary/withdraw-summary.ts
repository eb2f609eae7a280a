import { owningProfile, summaryStatusOf, withdrawProfile } from "../../deploy/index.ts";
import { finalizers } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { collectResult } from "./collect-result.ts";
import { blockingDependents } from "./dependency-status.ts";
import { clusterKeyOf } from "./summary-key.ts";
import { addonContextOf, type SummaryControllerState, type TargetContext } from "./summary-controller-state.ts";
import { writeClusterReport } from "./write-cluster-report.ts";
import { requeueFailed } from "./conflicts.ts";
import { patchSummaryStatus } from "./patch-summary-status.ts";
import { logOutcome } from "./log-outcome.ts";
import { failureMessageIn, recordFailure } from "./record-failure.ts";

const finalizer = finalizers.ClusterSummary;

export function hasFinalizer({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/** Withdraws what a ClusterSummary has deployed once no dependent is left, and removes its finalizer. */
export async function withdrawSummary(summary: KubeObject, target: TargetContext, state: SummaryControllerState): Promise<void> {
  const { context, summaryIndex, driftRepairer, references } = state;
  const { key, signal, cluster } = target;
  if (!hasFinalizer(summary)) return;
  const blocked = blockingDependents(summary, summaryIndex);
  if (blocked !== undefined) {
    if (summaryStatusOf(summary).dependencies !== blocked)
      context.telemetry.recordEvent(summary, { type: "Warning", reason: "WithdrawalBlocked", message: blocked });
    return patchSummaryStatus(summary, { dependencies: blocked }, context, signal);
  }
  // Stops drift repair and reference tracking first: what is being withdrawn must not be put back.
  driftRepairer.forget(key);
  references.forget(key);
  const startedAt = context.hub.clock.now();
  const result = await collectResult(withdrawProfile({ summary, cluster: cluster.managed }, addonContextOf(state, target), { signal }));
  const { outcome } = result;
  logOutcome("withdrawn", summary, result, startedAt, context, target.access);
  const failure = failureMessageIn(outcome);
  context.telemetry.count("sluice_deploys_total", { outcome: failure === undefined ? "withdrawn" : "failed" });
  if (failure !== undefined) {
    await context.cache.waitForWrites([outcome.summary], signal);
    recordFailure(outcome.summary, "WithdrawFailed", failure, context);
    context.fleet.probeNow(cluster.key);
    throw new Fault(failure);
  }
  requeueFailed(summary, state);
  await finalizeSummary(outcome.summary, state, signal);
}

/** Removes a ClusterSummary from the ClusterConfiguration, deletes its ClusterReport and removes its finalizer, in this order. */
export async function finalizeSummary(
  summary: KubeObject,
  { context, configurations }: SummaryControllerState,
  signal: AbortSignal,
): Promise<void> {
  if (!hasFinalizer(summary)) return;
  const cluster = clusterIdOf(clusterKeyOf(summary));
  const owner = owningProfile(summary);
  if (owner !== undefined) {
    await Promise.all([
      configurations.update(cluster, { owner, present: false }, signal),
      writeClusterReport(context, cluster, owner, undefined, signal),
    ]);
  }
  await removeFinalizer(summary, context, signal);
}

/** Lets a deleted ClusterSummary go. */
export async function removeFinalizer(summary: KubeObject, { hub, cache }: ControllerContext, signal: AbortSignal): Promise<void> {
  if (!hasFinalizer(summary)) return;
  const left = (summary.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  const patch = { metadata: { resourceVersion: summary.metadata.resourceVersion, finalizers: left } };
  const written = await hub.patch(refOf(summary), { type: "merge", patch }, { signal });
  if (left.length === 0) await cache.waitForDeletes([written], signal);
  else await cache.waitForWrites([written], signal);
}

import { Superseded } from "../../deploy/index.ts";
import { profilePausedAnnotation } from "../../api/index.ts";
import { isClusterReady, type FleetCluster } from "../../fleet/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { deploySummary } from "./deploy-summary.ts";
import { withdrawSummary, isDeleting, finalizeSummary } from "./withdraw-summary.ts";
import { clusterOfSummaryKey, summaryKey } from "./summary-key.ts";
import type { SummaryControllerState, TargetContext } from "./summary-controller-state.ts";
import { patchSummaryStatus } from "./patch-summary-status.ts";

/** Brings the ClusterSummary of a key to where it should be, as far as its cluster lets it. */
export async function reconcileSummary(key: string, state: SummaryControllerState, signal: AbortSignal): Promise<ReconcileResult> {
  const { context, summaryIndex } = state;
  const summary = summaryIndex.find(key);
  if (summary === undefined || summaryKey(summary) !== key) return forget(key, state);
  const cluster = context.fleet.find(clusterOfSummaryKey(key));
  // That the fleet does not know a cluster need not mean that it is gone: who keeps profiles asks, and then lets go.
  if (isDeleting(summary) && cluster?.managed.deleting === true) return finalizeWithoutCluster(summary, state, signal);
  if (cluster?.connection === undefined || !isClusterReady(cluster)) return reconciled;
  const { connection } = cluster;
  const target = { key, cluster, link: connection, signal: AbortSignal.any([signal, connection.signal]) };
  try {
    await reconcileReady(summary, target, state);
  } catch (error) {
    // The cluster is not ours any more, or there is another way to it, which we shall hear of.
    if (connection.signal.aborted && !signal.aborted) return reconciled;
    if (!isStale(error)) throw error;
    await requeueIfChanged(error, summary, target, state);
  }
  return reconciled;
}

function forget(key: string, { references, syncState, driftRepairer }: SummaryControllerState): ReconcileResult {
  references.forget(key);
  syncState.invalidate(key);
  driftRepairer.forget(key);
  return reconciled;
}

/** The cluster goes, and with it all that is there. */
async function finalizeWithoutCluster(summary: KubeObject, state: SummaryControllerState, signal: AbortSignal): Promise<ReconcileResult> {
  try {
    await finalizeSummary(summary, state, signal);
  } catch (error) {
    // Other replicas do the same.
    if (!isStale(error)) throw error;
  }
  return reconciled;
}

function isStale(error: unknown): boolean {
  return error instanceof Superseded || isConflict(error) || isNotFound(error);
}

async function reconcileReady(summary: KubeObject, target: TargetContext, state: SummaryControllerState): Promise<void> {
  const because = suspensionOf(summary, target.cluster);
  if (because !== undefined) {
    state.driftRepairer.forget(target.key);
    return patchSummaryStatus(summary, { reconciliationSuspended: true, suspensionReason: because }, state.context, target.signal);
  }
  return isDeleting(summary) ? withdrawSummary(summary, target, state) : deploySummary(summary, target, state);
}

function suspensionOf({ metadata }: KubeObject, { managed }: FleetCluster): string | undefined {
  if (managed.paused) return `cluster ${managed.namespace}/${managed.name} is paused`;
  if (metadata.annotations?.[profilePausedAnnotation] !== undefined) return `the profile has the annotation ${profilePausedAnnotation}`;
  return undefined;
}

/** Somebody has written what our copy does not have yet: with that it is looked at once more. When nobody has, the failure is one like any other. */
async function requeueIfChanged(
  error: unknown,
  summary: KubeObject,
  { key, signal }: TargetContext,
  { context, queue }: SummaryControllerState,
): Promise<void> {
  const live = await context.hub.find(refOf(summary), { signal });
  if (live === undefined) return;
  if (live.metadata.resourceVersion === summary.metadata.resourceVersion) throw error;
  await context.cache.waitForWrites([live], signal);
  queue.add(key);
}

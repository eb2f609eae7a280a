import { summaryStatusOf, Superseded } from "../../deploy/index.ts";
import { profilePausedAnnotation } from "../../api/index.ts";
import { isClusterReady, type FleetCluster } from "../../fleet/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { isDeleting, refOf, type KubeObject } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { deploySummary } from "./deploy-summary.ts";
import { forgetOtherCluster } from "./forget-other-cluster.ts";
import { finalizeSummary, removeFinalizer, withdrawSummary } from "./withdraw-summary.ts";
import { clusterKeyOf, isMisplaced, type SummaryKey } from "./summary-key.ts";
import type { SummaryControllerState, TargetContext } from "./summary-controller-state.ts";
import { patchSummaryStatus } from "./patch-summary-status.ts";
import { recordFailure } from "./record-failure.ts";
import { readAccess, type NoAccess } from "./summary-access.ts";
import { logDenied } from "./log-outcome.ts";

/** Deploys or withdraws a ClusterSummary, as far as its cluster is ready for it. */
export async function reconcileSummary(key: SummaryKey, state: SummaryControllerState, signal: AbortSignal): Promise<ReconcileResult> {
  const { context, summaryIndex } = state;
  const summary = summaryIndex.find(key);
  if (summary === undefined || clusterKeyOf(summary) !== key.cluster) return forget(key, state);
  if (isMisplaced(summary)) return refuseMisplaced(summary, state, signal);
  const cluster = context.fleet.find(key.cluster);
  // A cluster that the fleet does not know may still exist: the profile controller reads it and removes the finalizer.
  if (isDeleting(summary) && cluster?.managed.deleting === true) return finalizeWithoutCluster(summary, state, signal);
  if (cluster?.connection === undefined || !isClusterReady(cluster)) return reconciled;
  const { connection } = cluster;
  const target: Target = { key, cluster, connection, signal: AbortSignal.any([signal, connection.signal]) };
  try {
    await reconcileReady(summary, target, state);
  } catch (error) {
    // This replica has lost the cluster, or its connection was replaced: a fleet event requeues the key.
    if (connection.signal.aborted && !signal.aborted) return reconciled;
    if (!isStale(error)) throw error;
    await requeueIfChanged(error, summary, target, state);
  }
  return reconciled;
}

/** A target of which it is not known yet on whose word it is. */
type Target = Omit<TargetContext, "access">;

function forget(key: SummaryKey, { references, syncState, driftRepairer }: SummaryControllerState): ReconcileResult {
  references.forget(key);
  syncState.invalidate(key);
  driftRepairer.forget(key);
  return reconciled;
}

/** Nothing is deployed or withdrawn on its word; a deleted one may go. */
async function refuseMisplaced(summary: KubeObject, { context }: SummaryControllerState, signal: AbortSignal): Promise<ReconcileResult> {
  if (isDeleting(summary)) await removeFinalizer(summary, context, signal);
  else {
    const failureMessage = `it is not in the namespace of its cluster ${clusterKeyOf(summary)}, and is not deployed: delete it`;
    await patchSummaryStatus(summary, { failureMessage }, context, signal);
  }
  return reconciled;
}

/** The cluster is being deleted, and with it everything that is deployed there. */
async function finalizeWithoutCluster(summary: KubeObject, state: SummaryControllerState, signal: AbortSignal): Promise<ReconcileResult> {
  try {
    await finalizeSummary(summary, state, signal);
  } catch (error) {
    // Other replicas do the same, and one of them is first.
    if (!isStale(error)) throw error;
  }
  return reconciled;
}

function isStale(error: unknown): boolean {
  return error instanceof Superseded || isConflict(error) || isNotFound(error);
}

async function reconcileReady(summary: KubeObject, target: Target, state: SummaryControllerState): Promise<void> {
  const because = suspensionOf(summary, target.cluster);
  if (because !== undefined) {
    state.driftRepairer.forget(target.key);
    return patchSummaryStatus(summary, { reconciliationSuspended: true, suspensionReason: because }, state.context, target.signal);
  }
  const current = await forgetOtherCluster(summary, target, state);
  const access = await readAccess(current, target.key.cluster, state.context, target.signal);
  // One on whose word nothing was deployed may go, whoever wrote it.
  if ("because" in access && isDeleting(current) && !hasDeployed(current)) return finalizeSummary(current, state, target.signal);
  if ("because" in access) return access.waits ? undefined : refuseAccess(current, access, target, state);
  const allowed = { ...target, access };
  return isDeleting(current) ? withdrawSummary(current, allowed, state) : deploySummary(current, allowed, state);
}

function hasDeployed(summary: KubeObject): boolean {
  const { releases = [], helmReleaseSummaries = [], deployedGVKs = [], featureSummaries = [] } = summaryStatusOf(summary);
  return [releases, helmReleaseSummaries, deployedGVKs, featureSummaries].some((each) => each.length > 0);
}

/** What is deployed stays. A change of the ClusterSummary or of a RoleRequest requeues it. */
async function refuseAccess(summary: KubeObject, access: NoAccess, { key, signal }: Target, state: SummaryControllerState): Promise<void> {
  const { context, driftRepairer } = state;
  const { because } = access;
  driftRepairer.forget(key);
  const observedGeneration = summary.metadata.generation ?? 0;
  const before = summaryStatusOf(summary);
  // What was denied before a change, or before the deletion, is denied anew.
  if (before.failureMessage === because && before.observedGeneration === observedGeneration) return;
  await patchSummaryStatus(summary, { failureMessage: because, observedGeneration }, context, signal);
  logDenied(summary, access, context);
  recordFailure(summary, "Denied", because, context);
}

function suspensionOf({ metadata }: KubeObject, { managed }: FleetCluster): string | undefined {
  if (managed.paused) return `cluster ${managed.namespace}/${managed.name} is paused`;
  if (metadata.annotations?.[profilePausedAnnotation] !== undefined) return `the profile has the annotation ${profilePausedAnnotation}`;
  return undefined;
}

/** Requeues the key when the cache was behind the API server. Otherwise the error is a failure like any other. */
async function requeueIfChanged(
  error: unknown,
  summary: KubeObject,
  { key, signal }: Target,
  { context, queue }: SummaryControllerState,
): Promise<void> {
  const live = await context.hub.find(refOf(summary), { signal });
  if (live === undefined) return;
  if (live.metadata.resourceVersion === summary.metadata.resourceVersion) throw error;
  await context.cache.waitForWrites([live], signal);
  queue.add(key);
}

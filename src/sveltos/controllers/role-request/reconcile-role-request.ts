import { finalizers, failureMessageOf, readRoleRequest, type RoleRequest } from "../../api/index.ts";
import { clusterIdOf, isClusterReady, type FleetCluster } from "../../fleet/index.ts";
import { grantHash, tenantAccountObjects, tenantProblem } from "../../tenant/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { isDeleting, keyOf, refOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { roleRequestKind, type ControllerContext } from "../context/index.ts";
import { desiredGrant, grantInCluster, withdrawFromCluster } from "./grant-in-cluster.ts";
import { logGrant, logWithdrawnGrant } from "./log-grant.ts";
import { roleContentOf } from "./role-sources.ts";
import type { RoleRequestKey } from "./role-request-key.ts";
import { clusterInfoOf, grantedClusters, matchingRequest, writeClusterInfo, writeObjection } from "./role-request-status.ts";
import { ensureTenantKubeconfig, removeOtherAccounts, type ConnectedCluster } from "./tenant-accounts.ts";
import type { WrittenGrants } from "./written-grants.ts";

/** A RoleRequest that is reconciled in one cluster. */
type Target = {
  readonly key: RoleRequestKey;
  readonly object: KubeObject;
  readonly request: RoleRequest;
  readonly context: ControllerContext;
  readonly signal: AbortSignal;
};

/** Grants or withdraws a RoleRequest in one cluster, as far as the cluster can be reached. */
export async function reconcileRoleRequest(
  key: RoleRequestKey,
  written: WrittenGrants,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<ReconcileResult> {
  const object = context.cache.find(roleRequestKind, "", key.request);
  if (object === undefined) return reconciled;
  const reading = readRoleRequest(object);
  const objection = failureMessageOf(reading) ?? (reading.state === "read" ? tenantProblem(reading.value.tenant) : undefined);
  try {
    if (reading.state === "invalid" || (objection !== undefined && !isDeleting(object))) {
      await writeObjection(object, objection ?? "", context, signal);
      return reconciled;
    }
    return await reconcileValid({ key, object, request: reading.value, context, signal }, written);
  } catch (error) {
    // The request has changed or is gone: its informer requeues it.
    if (isConflict(error) || isNotFound(error)) return reconciled;
    throw error;
  }
}

async function reconcileValid(target: Target, written: WrittenGrants): Promise<ReconcileResult> {
  const { key, object, request, context, signal } = target;
  const cluster = context.fleet.find(key.cluster);
  const matching = isDeleting(object) ? [] : matchingRequest(request, context.fleet);
  const id = clusterIdOf(key.cluster);
  const isWanted = matching.some(({ type, namespace, name }) => type === id.type && namespace === id.namespace && name === id.name);
  if (!isWanted) return withdraw(target, cluster, written);
  if (cluster?.connection === undefined || !isClusterReady(cluster)) return reconciled;
  const { connection } = cluster;
  try {
    return await grant(target, { ...cluster, connection }, written);
  } catch (error) {
    // This replica has lost the cluster, or its connection was replaced: a fleet event requeues the key.
    if (connection.signal.aborted && !signal.aborted) return reconciled;
    if (!(error instanceof Fault)) throw error;
    await writeClusterInfo(object, key.cluster, { ...failed(error), hash: grantHash() }, matching, context, signal);
    context.telemetry.recordEvent(object, { type: "Warning", reason: "Failed", message: `${id.namespace}/${id.name}: ${error.message}` });
    throw error;
  }
}

function failed({ message, final }: Fault): { readonly failureMessage: string; readonly status: "Failed" | "FailedNonRetriable" } {
  return { failureMessage: message, status: final ? "FailedNonRetriable" : "Failed" };
}

async function grant(target: Target, cluster: ConnectedCluster, written: WrittenGrants): Promise<ReconcileResult> {
  const { key, request, context, signal } = target;
  const matching = matchingRequest(request, context.fleet);
  const { sources, missing } = roleContentOf(request, cluster.managed.namespace, context);
  const objects = desiredGrant(request, sources);
  const hash = grantHash(request.tenant, objects);
  // Recorded before anything is written, so that a withdrawal finds it.
  const object = await ensureRecorded(target, hash, matching);
  const { connection } = cluster;
  const both = AbortSignal.any([signal, connection.signal]);
  const before = written.find(key, connection);
  if (before?.hash !== hash) {
    const finish = written.expect(key, connection, [...tenantAccountObjects(request.tenant).slice(1), ...objects]);
    const isKnown = (ref: ObjectRef) => before?.own.has(keyOf(ref)) === true;
    finish(hash, await grantInCluster(request, objects, connection.cluster, both, isKnown));
    await removeOtherAccounts(key.cluster, connection.cluster, context, both);
    const isRestored = before?.isDrifted === true;
    logGrant(key, request, { before: clusterInfoOf(target.object, key.cluster), hash, objects, isRestored }, context);
  }
  const accountUid = written.find(key, connection)?.accountUid ?? "";
  const renewalMs = await ensureTenantKubeconfig(request.tenant, { ...cluster, accountUid }, context, both);
  if (missing.length > 0)
    throw new Fault(`there is no ${missing.join(" and no ")}, which therefore grants nothing`, undefined, { final: true });
  await writeClusterInfo(object, key.cluster, { status: "Provisioned", hash }, matching, context, signal);
  return { settled: false, requeueAfterMs: Math.max(1000, renewalMs) };
}

/** Sets the entry of the cluster in the status, then the finalizer: it is there as long as there are entries. */
async function ensureRecorded(target: Target, hash: string, matching: ReturnType<typeof matchingRequest>): Promise<KubeObject> {
  const { key, object, context, signal } = target;
  const entered =
    clusterInfoOf(object, key.cluster) === undefined
      ? await writeClusterInfo(object, key.cluster, { status: "Provisioning", hash }, matching, context, signal)
      : object;
  const { finalizers: before = [], resourceVersion } = entered.metadata;
  if (before.includes(finalizers.RoleRequest)) return entered;
  const patch = { metadata: { resourceVersion, finalizers: [...before, finalizers.RoleRequest] } };
  const held = await context.hub.patch(refOf(object), { type: "merge", patch }, { signal });
  await context.cache.waitForWrites([held], signal);
  return held;
}

/** Takes back what a RoleRequest has granted in a cluster. A cluster that is gone has taken it along. */
async function withdraw(
  { key, object, request, context, signal }: Target,
  cluster: FleetCluster | undefined,
  written: WrittenGrants,
): Promise<ReconcileResult> {
  const matching = isDeleting(object) ? [] : matchingRequest(request, context.fleet);
  const info = clusterInfoOf(object, key.cluster);
  if (info === undefined) {
    await releaseIfDone(object, context, signal);
    return reconciled;
  }
  const isGone = cluster === undefined || cluster.managed.deleting;
  if (!isGone && (cluster.connection === undefined || !isClusterReady(cluster))) return reconciled;
  const connection = isGone ? undefined : cluster.connection;
  const both = connection === undefined ? signal : AbortSignal.any([signal, connection.signal]);
  if (connection !== undefined) {
    // What is withdrawn is no drift.
    written.delete(key, connection);
    await withdrawFromCluster(key.request, connection.cluster, both);
  }
  await removeOtherAccounts(key.cluster, connection?.cluster, context, both);
  const current = await writeClusterInfo(object, key.cluster, undefined, matching, context, signal);
  logWithdrawnGrant(key, request, context);
  await releaseIfDone(current, context, signal);
  return reconciled;
}

/** Removes the finalizer when nothing of a RoleRequest is left in any cluster. */
async function releaseIfDone(object: KubeObject, { hub }: ControllerContext, signal: AbortSignal): Promise<void> {
  const { finalizers: before = [], resourceVersion } = object.metadata;
  if (!before.includes(finalizers.RoleRequest) || grantedClusters(object).length > 0) return;
  const patch = { metadata: { resourceVersion, finalizers: before.filter((each) => each !== finalizers.RoleRequest) } };
  await hub.patch(refOf(object), { type: "merge", patch }, { signal });
}

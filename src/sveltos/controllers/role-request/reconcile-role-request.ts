import { finalizers, failureMessageOf, readRoleRequest, type RoleRequest } from "../../api/index.ts";
import { clusterIdOf, isClusterReady, type ClusterConnection, type FleetCluster } from "../../fleet/index.ts";
import { anyRole, grantHash, grantObjects, roleTitle, tenantAccountObjects, tenantProblem } from "../../tenant/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { isDeleting, keyOf, refOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import { reconciled, type ReconcileResult } from "../../../reconcile/index.ts";
import { roleRequestKind, type ControllerContext } from "../context/index.ts";
import { listGrant, prepareGrant, withdrawFromCluster, writeGrant } from "./grant-in-cluster.ts";
import { logFailedGrant, logGrant, logWithdrawnGrant } from "./log-grant.ts";
import { commonGrant, narrowGrant } from "./narrow-grant.ts";
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
    const outcome = await grant(target, { ...cluster, connection }, written);
    if (!("fault" in outcome)) return outcome;
    return await fail(target, outcome, matching);
  } catch (error) {
    // This replica has lost the cluster, or its connection was replaced: a fleet event requeues the key.
    if (connection.signal.aborted && !signal.aborted) return reconciled;
    throw error;
  }
}

/** Says in the status, an Event and the log why a RoleRequest is not granted, and what of it still is. */
async function fail({ key, object, request, context, signal }: Target, failure: GrantFailure, matching: Matching): Promise<never> {
  const { message, final } = failure.fault;
  const granted = failure.left === undefined ? [anyRole] : [...new Set(failure.left.map(roleTitle))].toSorted();
  const status = final ? "FailedNonRetriable" : "Failed";
  const info = { failureMessage: message, status, hash: grantHash(), ...(granted.length > 0 && { granted }) } as const;
  logFailedGrant(key, request, { before: clusterInfoOf(object, key.cluster), info, left: failure.left }, context);
  await writeClusterInfo(object, key.cluster, info, matching, context, signal);
  const { namespace, name } = clusterIdOf(key.cluster);
  context.telemetry.recordEvent(object, { type: "Warning", reason: "Failed", message: `${namespace}/${name}: ${message}` });
  // It is the managed cluster that has said so, and not the request that has changed or is gone.
  throw isConflict(failure.fault) || isNotFound(failure.fault) ? new Fault(message, undefined, { final }) : failure.fault;
}

type Matching = ReturnType<typeof matchingRequest>;

/** `left`: the Roles and bindings that the cluster still has; undefined: it is not known. */
type GrantFailure = { readonly fault: Fault; readonly left: readonly KubeObject[] | undefined };

async function grant(target: Target, cluster: ConnectedCluster, written: WrittenGrants): Promise<ReconcileResult | GrantFailure> {
  const { key, request, context, signal } = target;
  const matching = matchingRequest(request, context.fleet);
  const { sources, missing } = roleContentOf(request, cluster.managed.namespace, context);
  const { objects, problems } = grantObjects(request, sources);
  const hash = grantHash(request.tenant, objects);
  // Recorded before anything is written, so that a withdrawal finds it.
  const object = await ensureRecorded(target, hash, matching);
  const { connection } = cluster;
  const both = AbortSignal.any([signal, connection.signal]);
  const failed = (fault: Fault, left: Left) => failureOf(fault, left, target, connection, both, written);
  if (problems.length > 0)
    return failed(new Fault(`read the roles of RoleRequest ${key.request}`, problems.join("\n"), { final: true }), (existing) => existing);
  const common: Left = (existing) => commonGrant(existing, objects, clusterInfoOf(target.object, key.cluster));
  if (missing.length > 0)
    return failed(new Fault(`there is no ${missing.join(" and no ")}, which therefore grants nothing`, undefined, { final: true }), common);
  // What is written and fails halfway is not taken for what was there before.
  let kept: readonly KubeObject[] | undefined;
  let renewalMs: number;
  try {
    if (written.find(key, connection)?.hash !== hash) kept = common(await listGrant(key.request, connection.cluster, both));
    renewalMs = await provision(target, cluster, { objects, hash }, written, both);
  } catch (error) {
    if (!(error instanceof Fault) || both.aborted) throw error;
    return failed(error, kept === undefined ? common : () => kept ?? []);
  }
  await writeClusterInfo(object, key.cluster, { status: "Provisioned", hash }, matching, context, signal);
  return { settled: false, requeueAfterMs: Math.max(1000, renewalMs) };
}

/** Which Roles and bindings stay in a cluster, of those that are there. */
type Left = (existing: readonly KubeObject[]) => readonly KubeObject[];

/** Leaves of a grant that has failed what may stay, and watches that. */
async function failureOf(
  fault: Fault,
  left: Left,
  { key, context }: Target,
  connection: ClusterConnection,
  signal: AbortSignal,
  written: WrittenGrants,
): Promise<GrantFailure> {
  try {
    const kept = left(await listGrant(key.request, connection.cluster, signal));
    const finish = written.expect(key, connection, kept);
    await narrowGrant(key.request, kept, connection.cluster, signal);
    await removeOtherAccounts(key.cluster, connection.cluster, context, signal);
    finish(`failed ${fault.message}`, kept);
    return { fault, left: kept };
  } catch (error) {
    if (!(error instanceof Fault) || signal.aborted) throw error;
    return { fault: new Fault(`${fault.message}; what was granted before may still be`, error), left: undefined };
  }
}

/** Writes the Roles and bindings of a tenant, its ServiceAccount and kubeconfig. Returns how long until its token is to be renewed. */
async function provision(
  { key, object, request, context }: Target,
  cluster: ConnectedCluster,
  { objects, hash }: { readonly objects: readonly KubeObject[]; readonly hash: string },
  written: WrittenGrants,
  signal: AbortSignal,
): Promise<number> {
  const { connection } = cluster;
  const before = written.find(key, connection);
  if (before?.hash === hash)
    return ensureTenantKubeconfig(request.tenant, { ...cluster, accountUid: before.accountUid ?? "" }, context, signal);
  const finish = written.expect(key, connection, [...tenantAccountObjects(request.tenant).slice(1), ...objects]);
  const isKnown = (ref: ObjectRef) => before?.own.has(keyOf(ref)) === true;
  const desired = { request, objects, cluster: connection.cluster, signal, isKnown };
  const account = await prepareGrant(desired);
  // A right is the last thing to be given.
  const accountUid = account.metadata.uid ?? "";
  const renewalMs = await ensureTenantKubeconfig(request.tenant, { ...cluster, accountUid }, context, signal);
  finish(hash, [account, ...(await writeGrant(desired))]);
  await removeOtherAccounts(key.cluster, connection.cluster, context, signal);
  const isRestored = before?.isDrifted === true;
  logGrant(key, request, { before: clusterInfoOf(object, key.cluster), hash, objects, isRestored }, context);
  return renewalMs;
}

/** Sets the entry of the cluster in the status, then the finalizer: it is there as long as there are entries. */
async function ensureRecorded(target: Target, hash: string, matching: Matching): Promise<KubeObject> {
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

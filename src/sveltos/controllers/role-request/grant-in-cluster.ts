import { grantSelector, tenantAccountObjects } from "../../tenant/index.ts";
import type { RoleRequest } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isNotFound, type Cluster } from "../../../kube/index.ts";
import { equal, keyOf, refOf, titleOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
/** Bindings first: a right ends with its binding. */
export const grantKinds = ["RoleBinding", "ClusterRoleBinding", "Role", "ClusterRole"].map((kind) => ({ ...rbac, kind }));

/** What a RoleRequest is to consist of in a cluster. */
type DesiredGrant = {
  readonly request: RoleRequest;
  /** Its Roles and bindings. */
  readonly objects: readonly KubeObject[];
  readonly cluster: Cluster;
  readonly signal: AbortSignal;
  /** What somebody has taken the labels off is still known as long as this process runs. */
  readonly isKnown: (ref: ObjectRef) => boolean;
};

/**
 * Checks that everything of a grant can be written, by a dry run, and then writes the ServiceAccount, which has no rights yet. A
 * dry run needs the namespace: missing ones are made when nothing else is in the way.
 */
export async function prepareGrant(desired: DesiredGrant): Promise<KubeObject> {
  const { request, objects, cluster, signal } = desired;
  const [, account] = tenantAccountObjects(request.tenant);
  const live = await readOwn(desired);
  const places = new Set([account, ...objects].flatMap(({ metadata }) => metadata.namespace ?? []));
  const missing = new Set<string>();
  for (const name of places) if ((await cluster.find(refOf(namespaceCalled(name)), { signal })) === undefined) missing.add(name);
  const isPlaced = ({ metadata: { namespace = "" } }: KubeObject) => !missing.has(namespace);
  const all = [account, ...objects];
  for (const object of all.filter(isPlaced)) await tryWriting(object, live.get(keyOf(refOf(object))), cluster, signal);
  for (const name of missing) await createNamespace(name, cluster, signal);
  for (const object of all.filter((each) => !isPlaced(each))) await tryWriting(object, undefined, cluster, signal);
  return cluster.apply(account, { force: true, signal });
}

/** Writes the Roles and then the bindings of a grant that was prepared, and deletes those that it has no more. Returns what is written. */
export async function writeGrant(desired: DesiredGrant): Promise<readonly KubeObject[]> {
  const { request, objects, cluster, signal } = desired;
  const live = await readOwn(desired);
  const written: KubeObject[] = [];
  for (const object of objects.toSorted((a, b) => Number(isBinding(a)) - Number(isBinding(b)))) {
    const own = live.get(keyOf(refOf(object)));
    if (own !== undefined && !canBecome(own, object)) await deleteAll([own], cluster, signal);
    written.push(await cluster.apply(object, { force: true, signal }));
  }
  const wanted = new Set(objects.map((object) => keyOf(refOf(object))));
  const existing = await listGrant(request.metadata.name, cluster, signal);
  const others = existing.filter((object) => !wanted.has(keyOf(refOf(object))));
  await deleteAll(others, cluster, signal);
  return written;
}

/** Deletes the Roles and bindings of a RoleRequest. */
export async function withdrawFromCluster(request: string, cluster: Cluster, signal: AbortSignal): Promise<void> {
  await deleteAll(await listGrant(request, cluster, signal), cluster, signal);
}

function isBinding({ kind }: KubeObject): boolean {
  return kind.endsWith("Binding");
}

function namespaceCalled(name: string): KubeObject {
  return { apiVersion: "v1", kind: "Namespace", metadata: { name } };
}

async function createNamespace(name: string, cluster: Cluster, signal: AbortSignal): Promise<void> {
  await cluster.create(namespaceCalled(name), { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/**
 * Reads which objects of a grant are there, by `keyOf`. Names are joined by `--`, so another request, or the cluster itself, may
 * have an object of the same name: it is not touched.
 */
async function readOwn({ request, objects, cluster, signal, isKnown }: DesiredGrant): Promise<ReadonlyMap<string, KubeObject>> {
  const existing = await listGrant(request.metadata.name, cluster, signal);
  const own = new Map(existing.map((object) => [keyOf(refOf(object)), object]));
  for (const ref of objects.map(refOf)) {
    const live = own.has(keyOf(ref)) ? undefined : await cluster.find(ref, { signal });
    if (live !== undefined && !isKnown(ref))
      throw new Fault(`${titleOf(ref)} is in the cluster already and belongs to somebody else: rename the role or the RoleRequest`);
    if (live !== undefined) own.set(keyOf(ref), live);
  }
  return own;
}

/** Has the API server check a write. What has to be made anew cannot be tried while it is there: its deletion is. */
async function tryWriting(object: KubeObject, live: KubeObject | undefined, cluster: Cluster, signal: AbortSignal): Promise<void> {
  if (live !== undefined && !canBecome(live, object)) {
    await cluster.delete(refOf(live), { dryRun: true, signal });
    return;
  }
  await cluster.apply(object, { force: true, dryRun: true, signal }).catch((error: unknown) => {
    // Who may not bind every role is asked for the rules of this one, which is not there yet.
    if (!(isNotFound(error) && isBinding(object))) throw error;
  });
}

/** A binding cannot be led to another role, and no apply takes away a rule of aggregation that somebody else has added. */
function canBecome(live: KubeObject, object: KubeObject): boolean {
  return equal(live["roleRef"], object["roleRef"]) && live["aggregationRule"] === undefined;
}

/** The Roles and bindings of a RoleRequest that a cluster has, bindings first. */
export async function listGrant(request: string, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const labelSelector = grantSelector(request);
  return (await Promise.all(grantKinds.map(async (kind) => (await cluster.list(kind, { labelSelector, signal })).items))).flat();
}

/** Deletes these, in this order. */
export async function deleteAll(objects: readonly KubeObject[], cluster: Cluster, signal: AbortSignal): Promise<void> {
  for (const object of objects) {
    await cluster.delete(refOf(object), { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

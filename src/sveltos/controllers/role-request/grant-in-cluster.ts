import { grantObjects, grantSelector, tenantAccountObjects, type RoleSource } from "../../tenant/index.ts";
import type { RoleRequest } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isAlreadyExists, isNotFound, type Cluster } from "../../../kube/index.ts";
import { equal, keyOf, refOf, titleOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";

const rbac = { group: "rbac.authorization.k8s.io", version: "v1" };
/** Bindings first: a right ends with its binding. */
export const grantKinds = ["RoleBinding", "ClusterRoleBinding", "Role", "ClusterRole"].map((kind) => ({ ...rbac, kind }));

/** The objects that a RoleRequest consists of in a cluster. Throws where its content is invalid: then nothing changes. */
export function desiredGrant(request: RoleRequest, sources: readonly RoleSource[]): readonly KubeObject[] {
  const { objects, problems } = grantObjects(request, sources);
  if (problems.length > 0) throw new Fault(`read the roles of RoleRequest ${request.metadata.name}`, problems.join("\n"), { final: true });
  return objects;
}

/** Writes the ServiceAccount, Roles and bindings of a RoleRequest, and deletes those that it has no more. Returns what is written. */
export async function grantInCluster(
  request: RoleRequest,
  objects: readonly KubeObject[],
  cluster: Cluster,
  signal: AbortSignal,
  isKnown: (ref: ObjectRef) => boolean,
): Promise<readonly KubeObject[]> {
  const [namespace, account] = tenantAccountObjects(request.tenant);
  const places = objects.flatMap(({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
  for (const name of new Set([namespace.metadata.name, ...places])) await ensureNamespace(name, cluster, signal);
  const written = [await cluster.apply(account, { force: true, signal })];
  const existing = await listGrant(request.metadata.name, cluster, signal);
  const own = new Map(existing.map((object) => [keyOf(refOf(object)), object]));
  for (const object of objects) written.push(await writeGrantObject(object, own, isKnown, cluster, signal));
  const wanted = new Set(objects.map((object) => keyOf(refOf(object))));
  await deleteAll(
    existing.filter((object) => !wanted.has(keyOf(refOf(object)))),
    cluster,
    signal,
  );
  return written;
}

/** Deletes the Roles and bindings of a RoleRequest. */
export async function withdrawFromCluster(request: string, cluster: Cluster, signal: AbortSignal): Promise<void> {
  await deleteAll(await listGrant(request, cluster, signal), cluster, signal);
}

async function ensureNamespace(name: string, cluster: Cluster, signal: AbortSignal): Promise<void> {
  const object = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
  if ((await cluster.find(refOf(object), { signal })) !== undefined) return;
  await cluster.create(object, { signal }).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
}

/**
 * Names are joined by `--`, so another request, or the cluster itself, may have an object of the same name: it is not touched.
 * What somebody has taken the labels off is still known as long as this process runs.
 */
async function writeGrantObject(
  object: KubeObject,
  own: ReadonlyMap<string, KubeObject>,
  isKnown: (ref: ObjectRef) => boolean,
  cluster: Cluster,
  signal: AbortSignal,
): Promise<KubeObject> {
  const ref = refOf(object);
  const live = own.get(keyOf(ref)) ?? (await cluster.find(ref, { signal }));
  if (live !== undefined && !own.has(keyOf(ref)) && !isKnown(ref))
    throw new Fault(`${titleOf(ref)} is in the cluster already and belongs to somebody else: rename the role or the RoleRequest`);
  if (live !== undefined && !canBecome(live, object)) await deleteAll([live], cluster, signal);
  return cluster.apply(object, { force: true, signal });
}

/** A binding cannot be led to another role, and no apply takes away a rule of aggregation that somebody else has added. */
function canBecome(live: KubeObject, object: KubeObject): boolean {
  return equal(live["roleRef"], object["roleRef"]) && live["aggregationRule"] === undefined;
}

async function listGrant(request: string, cluster: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const labelSelector = grantSelector(request);
  return (await Promise.all(grantKinds.map(async (kind) => (await cluster.list(kind, { labelSelector, signal })).items))).flat();
}

async function deleteAll(objects: readonly KubeObject[], cluster: Cluster, signal: AbortSignal): Promise<void> {
  for (const object of objects) {
    await cluster.delete(refOf(object), { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

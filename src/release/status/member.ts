import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind } from "../../core/object/index.ts";
import { positionText } from "../../lang/yaml/index.ts";
import { formerOf, manifestsOf } from "../deploy/index.ts";
import { order, type Ordered, type Scope } from "../order/index.ts";
import type { Wanted } from "../plan/index.ts";
import { latestOf, type Revision } from "../record/index.ts";

/** The objects of a revision in their order, also those of kinds that the cluster does not serve. */
export async function membersOf(revision: Revision, cluster: Cluster): Promise<readonly Ordered<Wanted>[]> {
  const manifests = manifestsOf(revision);
  const scopes = new Map<string, Scope | undefined>();
  for (const { object } of manifests) {
    const key = `${object.apiVersion} ${object.kind}`;
    if (!scopes.has(key)) scopes.set(key, await scopeIn(cluster, refOf(object)));
  }
  const scopeOf = (gvk: GroupVersionKind) => scopes.get(`${apiVersionOf(gvk)} ${gvk.kind}`);
  const { ordered } = order(manifests, { namespace: revision.namespace, scopeOf });
  return ordered.map(({ item, ref, claims }) => ({ item: { object: item.object, at: positionText(item.at) }, ref, claims }));
}

async function scopeIn(cluster: Cluster, kind: GroupVersionKind): Promise<Scope | undefined> {
  const resource = await cluster.discovery.find(kind);
  return resource === undefined ? undefined : resource.namespaced ? "namespaced" : "cluster";
}

/** All that a release has by its records: what its latest revision wants, and what is left of those before it. */
export async function recordedOf(
  revisions: readonly Revision[],
  cluster: Cluster,
): Promise<{ readonly wanted: readonly Ordered<Wanted>[]; readonly left: readonly Ordered<Wanted>[] }> {
  const latest = latestOf(revisions)!;
  if (latest.state === "uninstalled") return { wanted: [], left: [] };
  const wanted = await membersOf(latest, cluster);
  if (latest.state === "deployed") return { wanted, left: [] };
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  const former = await formerOf(revisions, cluster, latest.namespace);
  return { wanted, left: former.filter(({ ref, claims }) => !claims.hook && !keys.has(keyOf(ref))) };
}

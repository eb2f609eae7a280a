import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind } from "../../core/object/index.ts";
import { positionText } from "../../lang/yaml/index.ts";
import { readPreviousManifests, manifestsInRevision } from "../deploy/index.ts";
import { order, type Ordered, type ResourceScope } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { latestOf, type Revision } from "../record/index.ts";

/** The objects of a revision in order, including those of kinds that are not served. */
export async function readRevisionObjects(revision: Revision, cluster: Cluster): Promise<readonly Ordered<DesiredManifest>[]> {
  const manifests = manifestsInRevision(revision);
  const scopes = new Map<string, ResourceScope | undefined>();
  for (const { object } of manifests) {
    const key = `${object.apiVersion} ${object.kind}`;
    if (!scopes.has(key)) scopes.set(key, await scopeIn(cluster, refOf(object)));
  }
  const scopeOf = (gvk: GroupVersionKind) => scopes.get(`${apiVersionOf(gvk)} ${gvk.kind}`);
  const { ordered } = order(manifests, { namespace: revision.namespace, scopeOf });
  return ordered.map(({ item, ref, constraints }) => ({ item: { object: item.object, at: positionText(item.at) }, ref, constraints }));
}

async function scopeIn(cluster: Cluster, kind: GroupVersionKind): Promise<ResourceScope | undefined> {
  const resource = await cluster.discovery.find(kind);
  return resource === undefined ? undefined : resource.namespaced ? "namespaced" : "cluster";
}

/** The recorded objects of a release: those of its latest revision, and those left of earlier ones. */
export async function readRecordedObjects(
  revisions: readonly Revision[],
  cluster: Cluster,
): Promise<{ readonly wanted: readonly Ordered<DesiredManifest>[]; readonly left: readonly Ordered<DesiredManifest>[] }> {
  const latest = latestOf(revisions)!;
  if (latest.state === "uninstalled") return { wanted: [], left: [] };
  const wanted = await readRevisionObjects(latest, cluster);
  if (latest.state === "deployed") return { wanted, left: [] };
  const keys = new Set(wanted.map(({ ref }) => keyOf(ref)));
  const previous = await readPreviousManifests(revisions, cluster, latest.namespace);
  return { wanted, left: previous.filter(({ ref, constraints }) => !constraints.hook && !keys.has(keyOf(ref))) };
}

import type { Cluster } from "../../kube/index.ts";
import { apiVersionOf, keyOf, refOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import { positionText, type LocatedManifest } from "../../lang/yaml/index.ts";
import { order, type Ordered, type ResourceScope } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import type { Revision } from "../record/index.ts";
import { manifestsInRevision } from "./revision-content.ts";

/**
 * Reads what a release may have in the cluster by its records, in manifest order: the last deployed revision and the
 * unfinished ones after it. The later manifest of an object wins. An object that became a hook is listed twice, because
 * the resource that it was may have to be pruned.
 *
 * Problems are ignored, because recorded manifests were accepted once. Kinds that are no longer served have no objects
 * and are left out.
 */
export async function readPreviousManifests(
  revisions: readonly Revision[],
  cluster: Cluster,
  namespace: string,
): Promise<readonly Ordered<DesiredManifest>[]> {
  const scopes = new Map<string, ResourceScope | undefined>();
  const byKey = new Map<string, LocatedManifest>();
  for (const revision of sinceDeployed(revisions)) {
    for (const manifest of manifestsInRevision(revision)) {
      const scope = await scopeIn(cluster, manifest.object, scopes);
      if (scope === undefined) continue;
      const ref = refOf(manifest.object);
      const key = keyOf({ ...ref, namespace: scope === "cluster" ? "" : ref.namespace || namespace });
      byKey.set(isHook(manifest) ? `hook ${key}` : key, manifest);
    }
  }
  const scopeOf = (gvk: GroupVersionKind) => scopes.get(`${apiVersionOf(gvk)} ${gvk.kind}`);
  const { ordered } = order([...byKey.values()], { namespace, scopeOf });
  return ordered.map(({ item, ref, constraints }) => ({ item: { object: item.object, at: positionText(item.at) }, ref, constraints }));
}

function isHook({ object }: LocatedManifest): boolean {
  return object.metadata.annotations?.["helm.sh/hook"] !== undefined;
}

/** Models helm pkg/action: revisions that were uninstalled or superseded have no objects left. */
function sinceDeployed(revisions: readonly Revision[]): readonly Revision[] {
  const deployed = revisions.findLastIndex(({ state }) => state === "deployed");
  const gone = revisions.findLastIndex(({ state }) => state === "uninstalled");
  return revisions.slice(gone > deployed ? gone + 1 : Math.max(deployed, 0)).filter(({ state }) => state !== "unknown");
}

async function scopeIn(
  cluster: Cluster,
  object: KubeObject,
  known: Map<string, ResourceScope | undefined>,
): Promise<ResourceScope | undefined> {
  const key = `${object.apiVersion} ${object.kind}`;
  if (!known.has(key)) {
    const resource = await cluster.discovery.find(refOf(object));
    known.set(key, resource === undefined ? undefined : resource.namespaced ? "namespaced" : "cluster");
  }
  return known.get(key);
}

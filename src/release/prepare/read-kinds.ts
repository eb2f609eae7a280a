import { apiVersionOf, refOf, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";
import type { Cluster, Resource } from "../../kube/index.ts";
import type { ResourceScope } from "../order/index.ts";

/** Finds a kind as the cluster serves it; undefined when it is not served. */
export type KindFinder = (gvk: GroupVersionKind) => Resource | undefined;

/** Resolves the kinds of objects by discovery, each once. */
export async function readKinds(objects: readonly KubeObject[], cluster: Cluster): Promise<KindFinder> {
  const kinds = new Map<string, Resource | undefined>();
  for (const object of objects) {
    const gvk = refOf(object);
    if (!kinds.has(kindKey(gvk))) kinds.set(kindKey(gvk), await cluster.discovery.find(gvk));
  }
  return (gvk) => kinds.get(kindKey(gvk));
}

/** The scope of a kind; undefined when it is not served. */
export function scopeOf(kind: Pick<Resource, "namespaced"> | undefined): ResourceScope | undefined {
  if (kind === undefined) return undefined;
  return kind.namespaced ? "namespaced" : "cluster";
}

/** A key for a kind. */
export function kindKey(gvk: GroupVersionKind): string {
  return `${apiVersionOf(gvk)} ${gvk.kind}`;
}

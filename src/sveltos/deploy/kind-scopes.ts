import type { Cluster } from "../../kube/index.ts";
import { stringAt, type GroupVersionKind, type KubeObject } from "../../core/object/index.ts";

/** Whether a kind has namespaces; undefined when nobody knows it. */
export type KindScopes = (gvk: GroupVersionKind) => Promise<boolean | undefined>;

/**
 * The scopes of kinds that a cluster serves, or will with a CRD among the objects: a result must not depend on whether the cluster
 * serves a kind already.
 */
export function kindScopes(objects: readonly KubeObject[], served: KindScopes): KindScopes {
  const ofCrds = new Map(objects.flatMap(scopeOfCrd));
  return async (gvk) => (await served(gvk)) ?? ofCrds.get(kindKey(gvk));
}

/** The scopes of the kinds that a cluster serves. */
export function servedScopes(cluster: Cluster): KindScopes {
  return async (gvk) => (await cluster.discovery.find(gvk))?.namespaced;
}

function scopeOfCrd(object: KubeObject): readonly (readonly [string, boolean])[] {
  if (object.kind !== "CustomResourceDefinition") return [];
  const gvk = { group: stringAt(object, "spec.group", ""), kind: stringAt(object, "spec.names.kind", "") };
  return [[kindKey(gvk), stringAt(object, "spec.scope") === "Namespaced"]];
}

function kindKey({ group, kind }: Pick<GroupVersionKind, "group" | "kind">): string {
  return `${group}/${kind}`;
}

import { configGroup, type ClusterId, type ProfileKind } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { groupVersionOf, stringAt, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";

/** Names a profile; the namespace of a ClusterProfile is empty. */
export type ProfileId = { readonly kind: ProfileKind; readonly namespace: string; readonly name: string };

/** One string for one profile: `Profile/eng/nginx`, `ClusterProfile//nginx`. */
export function profileKey({ kind, namespace, name }: ProfileId): string {
  return `${kind}/${namespace}/${name}`;
}

export function profileIdOf(key: string): ProfileId {
  const [kind, namespace = "", name = ""] = key.split("/");
  return { kind: kind === "Profile" ? "Profile" : "ClusterProfile", namespace, name };
}

export function profileIdFor({ kind, metadata: { namespace = "", name } }: KubeObject): ProfileId {
  return kind === "Profile" ? { kind, namespace, name } : { kind: "ClusterProfile", namespace: "", name };
}

/** The profile that a ClusterSummary names as its owner; undefined when it names none. */
export function profileOwnerOf({ metadata }: KubeObject): { readonly id: ProfileId; readonly uid: string } | undefined {
  const owner = metadata.ownerReferences?.find(isProfile);
  if (owner === undefined) return undefined;
  const namespace = owner.kind === "Profile" ? (metadata.namespace ?? "") : "";
  return { id: { kind: owner.kind === "Profile" ? "Profile" : "ClusterProfile", namespace, name: owner.name }, uid: owner.uid };
}

function isProfile({ apiVersion, kind }: OwnerReference): boolean {
  return groupVersionOf(apiVersion).group === configGroup && (kind === "ClusterProfile" || kind === "Profile");
}

/** The cluster that a ClusterSummary is for. */
export function clusterOfSummary(summary: KubeObject): ClusterId {
  return {
    type: stringAt(summary, "spec.clusterType") === "Capi" ? "Capi" : "Sveltos",
    namespace: stringAt(summary, "spec.clusterNamespace", ""),
    name: stringAt(summary, "spec.clusterName", ""),
  };
}

export function clusterKeyOfSummary(summary: KubeObject): string {
  return clusterKey(clusterOfSummary(summary));
}

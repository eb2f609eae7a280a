import { clusterOfSummary, type ProfileKind } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** Names a profile; the namespace of a ClusterProfile is empty. */
export type ProfileId = { readonly kind: ProfileKind; readonly namespace: string; readonly name: string };

/** What the profile controller reconciles: a profile, or a cluster that is gone, by the fleet's key. */
export type ProfileKey =
  | { readonly type: "profile"; readonly profile: ProfileId }
  | { readonly type: "gone cluster"; readonly cluster: string };

/** The identity of a key in the queue and in logs: `Profile/eng/nginx`, `gone cluster Sveltos/mgmt/c1`. */
export function profileKeyIdentity(key: ProfileKey): string {
  return key.type === "profile" ? profileIdentity(key.profile) : `${key.type} ${key.cluster}`;
}

/** The identity of a profile in maps and indexes: `Profile/eng/nginx`, `ClusterProfile//nginx`. */
export function profileIdentity({ kind, namespace, name }: ProfileId): string {
  return `${kind}/${namespace}/${name}`;
}

export function profileIdOf({ kind, metadata: { namespace = "", name } }: KubeObject): ProfileId {
  return kind === "Profile" ? { kind, namespace, name } : { kind: "ClusterProfile", namespace: "", name };
}

export function clusterKeyOfSummary(summary: KubeObject): string {
  return clusterKey(clusterOfSummary(summary));
}

import type { KubeObject, LabelSelectorObject, Metadata } from "../../../core/object/index.ts";
import { clusterSummarySpec } from "../kind/cluster-summary.ts";
import { clusterSetSpec, profileSpec, type ProfileSpec } from "../kind/profile.ts";
import type { ObjectReference } from "../kind/reference.ts";
import type { ClusterId, ClusterType, ProfileKind } from "../name.ts";
import type { Findings } from "../shape/index.ts";
import { readWith, type Reading } from "./reading.ts";

/** A ClusterProfile or Profile of any generation. */
export type Profile = ProfileSpec & { readonly metadata: Metadata; readonly kind: ProfileKind };

/** Reads a ClusterProfile or a Profile; which one it is, its kind tells. */
export function readProfile(object: KubeObject): Reading<Profile> {
  const kind = object.kind === "Profile" ? "Profile" : "ClusterProfile";
  return readWith(object, profileSpec, (spec) => ({ metadata: object.metadata, kind, ...spec }));
}

/** A ClusterSet or Set: at most `maxReplicas` of the clusters that match. */
export type ClusterSet = {
  readonly metadata: Metadata;
  readonly kind: "ClusterSet" | "Set";
  readonly clusterSelector: LabelSelectorObject;
  readonly clusterRefs: readonly ObjectReference[];
  readonly maxReplicas: number;
};

/** Reads a ClusterSet or a Set; which one it is, its kind tells. */
export function readClusterSet(object: KubeObject): Reading<ClusterSet> {
  const kind = object.kind === "Set" ? "Set" : "ClusterSet";
  return readWith(object, clusterSetSpec, (spec) => ({ metadata: object.metadata, kind, ...spec }));
}

/** A ClusterSummary: one profile in one cluster, with the profile as it was when the summary was written. */
export type ClusterSummary = {
  readonly metadata: Metadata;
  readonly cluster: ClusterId;
  readonly profile: ProfileSpec;
};

/** Reads a ClusterSummary. What the profile has that is not built is refused under `spec.clusterProfileSpec`. */
export function readClusterSummary(object: KubeObject): Reading<ClusterSummary> {
  return readWith(object, clusterSummarySpec, ({ clusterName, clusterNamespace, clusterType, clusterProfileSpec }, findings) => ({
    metadata: object.metadata,
    cluster: { type: clusterTypeOf(clusterType, findings), namespace: clusterNamespace, name: clusterName },
    profile: clusterProfileSpec ?? profileSpec.read({}, "spec.clusterProfileSpec", findings),
  }));
}

function clusterTypeOf(written: string, findings: Findings): ClusterType {
  if (written === "Sveltos" || written === "Capi") return written;
  findings.problems.push({ at: "spec.clusterType", message: `found ${JSON.stringify(written)}, expected Sveltos or Capi` });
  return "Sveltos";
}

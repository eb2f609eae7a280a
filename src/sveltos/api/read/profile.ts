import type { KubeObject, LabelSelectorObject, ObjectMeta } from "../../../core/object/index.ts";
import { clusterSummarySpec } from "../kind/cluster-summary.ts";
import { clusterSetSpec, profileSpec, type ProfileSpec } from "../kind/profile.ts";
import type { ObjectReference } from "../kind/reference.ts";
import type { ClusterId, ClusterType, ProfileKind } from "../object-names.ts";
import type { ReadIssues } from "../shape/index.ts";
import { readSpecWith, type ReadResult } from "./read-result.ts";

/** A ClusterProfile or Profile of any generation. */
export type Profile = ProfileSpec & { readonly metadata: ObjectMeta; readonly kind: ProfileKind };

/** Reads a ClusterProfile or a Profile, by kind. */
export function readProfile(object: KubeObject): ReadResult<Profile> {
  const kind = object.kind === "Profile" ? "Profile" : "ClusterProfile";
  return readSpecWith(object, profileSpec, (spec) => ({ metadata: object.metadata, kind, ...spec }));
}

/** A ClusterSet or Set: at most `maxReplicas` of the clusters that match. */
export type ClusterSet = {
  readonly metadata: ObjectMeta;
  readonly kind: "ClusterSet" | "Set";
  readonly clusterSelector: LabelSelectorObject;
  readonly clusterRefs: readonly ObjectReference[];
  readonly maxReplicas: number;
};

/** Reads a ClusterSet or a Set, by kind. */
export function readClusterSet(object: KubeObject): ReadResult<ClusterSet> {
  const kind = object.kind === "Set" ? "Set" : "ClusterSet";
  return readSpecWith(object, clusterSetSpec, (spec) => ({ metadata: object.metadata, kind, ...spec }));
}

/** A ClusterSummary: one profile in one cluster, with a copy of the profile's spec. */
export type ClusterSummary = {
  readonly metadata: ObjectMeta;
  readonly cluster: ClusterId;
  readonly profile: ProfileSpec;
};

/** Reads a ClusterSummary. Fields of the profile that are not built are refused under `spec.clusterProfileSpec`. */
export function readClusterSummary(object: KubeObject): ReadResult<ClusterSummary> {
  return readSpecWith(object, clusterSummarySpec, ({ clusterName, clusterNamespace, clusterType, clusterProfileSpec }, issues) => ({
    metadata: object.metadata,
    cluster: { type: clusterTypeOf(clusterType, issues), namespace: clusterNamespace, name: clusterName },
    profile: clusterProfileSpec ?? profileSpec.read({}, "spec.clusterProfileSpec", issues),
  }));
}

function clusterTypeOf(written: string, issues: ReadIssues): ClusterType {
  if (written === "Sveltos" || written === "Capi") return written;
  issues.problems.push({ at: "spec.clusterType", message: `found ${JSON.stringify(written)}, expected Sveltos or Capi` });
  return "Sveltos";
}

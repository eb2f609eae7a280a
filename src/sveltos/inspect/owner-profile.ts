import { clusterProfileNameLabel, configGroup, profileNameLabel } from "../api/index.ts";
import { groupVersionOf, type KubeObject } from "../../core/object/index.ts";
import type { ProfileOutline } from "../../view/index.ts";

/** The profile that owns a ClusterSummary or ClusterReport, by its owner reference, else by its labels. */
export function ownerProfileOf({ metadata }: KubeObject): ProfileOutline | undefined {
  const { ownerReferences = [], labels = {}, namespace = "" } = metadata;
  const owner = ownerReferences.find(({ apiVersion, kind }) => groupVersionOf(apiVersion).group === configGroup && kind in names);
  if (owner?.kind === "ClusterProfile") return { kind: owner.kind, name: owner.name };
  if (owner?.kind === "Profile") return { kind: owner.kind, namespace, name: owner.name };
  const [clusterProfile, profile] = [labels[clusterProfileNameLabel], labels[profileNameLabel]];
  if (profile !== undefined) return { kind: "Profile", namespace, name: profile };
  return clusterProfile === undefined ? undefined : { kind: "ClusterProfile", name: clusterProfile };
}

const names = { ClusterProfile: true, Profile: true } as const;

import { findCondition, listAt, type KubeObject } from "../../../core/object/index.ts";
import { clusterReferredTo, readEventTrigger, readProfile, selectsCluster, type ClusterId, type ManagedCluster } from "../../api/index.ts";
import type { ChainLink } from "../../../view/index.ts";
import type { FleetObjects } from "./fleet-objects.ts";
import { brokenLink, objectOf } from "./link.ts";

/** The clusters that a profile or trigger matches by its status, and those that its selector means and that are not ready. */
export function meantClusters(object: KubeObject, { clusters }: FleetObjects): readonly ClusterId[] {
  const infos = listAt(object, "status.clusterInfo").map(({ cluster }) => cluster);
  const named = [...listAt(object, "status.matchingClusters"), ...infos].flatMap(
    (reference) => clusterReferredTo(reference as object) ?? [],
  );
  const selected = clusters.all().filter((cluster) => isSelected(object, cluster));
  return distinct([...named, ...selected.map(({ type, namespace, name }) => ({ type, namespace, name }))]);
}

export function isMatching(object: KubeObject, cluster: ClusterId): boolean {
  return listAt(object, "status.matchingClusters").some((reference) => {
    const found = clusterReferredTo(reference);
    return found !== undefined && isSameId(found, cluster);
  });
}

function isSelected(object: KubeObject, { namespace, labels }: ManagedCluster): boolean {
  if (object.kind === "Profile" && object.metadata.namespace !== namespace) return false;
  if (object.kind === "ClusterProfile" || object.kind === "Profile") {
    const reading = readProfile(object);
    return reading.state === "read" && selectsCluster(reading.value.clusterSelector, labels);
  }
  const reading = readEventTrigger(object);
  return reading.state === "read" && selectsCluster(reading.value.sourceClusterSelector, labels);
}

/** A profile or trigger that has nothing to do with a cluster, or with any. */
export function mismatchLink(object: KubeObject, cluster?: ManagedCluster): ChainLink {
  const selector = object.kind.endsWith("Profile") ? "clusterSelector" : "sourceClusterSelector";
  const advice = `compare its spec.${selector} with the labels that sluice show clusters lists`;
  const condition = findCondition(object, "NoMatchingCluster", "True");
  if (cluster === undefined) return brokenLink(objectOf(object), condition?.message ?? "it matches no cluster", advice);
  const labels = Object.entries(cluster.labels).map(([key, value]) => `${key}=${value}`);
  const text = labels.length === 0 ? "which has no labels" : `whose labels are ${labels.toSorted().join(",")}`;
  return brokenLink(objectOf(object), `it does not match cluster ${cluster.namespace}/${cluster.name}, ${text}`, advice);
}

function distinct(clusters: readonly ClusterId[]): readonly ClusterId[] {
  return [...new Map(clusters.map((cluster) => [`${cluster.type}/${cluster.namespace}/${cluster.name}`, cluster])).values()];
}

export function isSameId(a: ClusterId, b: ClusterId): boolean {
  return a.type === b.type && a.namespace === b.namespace && a.name === b.name;
}

import { isEmptySelector, readClusterSet, selectsNamespace, type ClusterId, type ManagedCluster, type Profile } from "../../api/index.ts";
import { selectClusters, clusterKey, matchingClusters, selectedClustersOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** The fleet as matching sees it. Clusters are named by the fleet's key. */
type FleetView = {
  readonly clusters: () => readonly ManagedCluster[];
  readonly isKnown: (key: string) => boolean;
  /** The existing sets that the profile refers to. */
  readonly sets: readonly KubeObject[];
  /** The profile has a ClusterSummary for this cluster. */
  readonly isDeployedTo: (key: string) => boolean;
};

/**
 * The clusters that a profile matches. A new cluster must be ready. A cluster that has the profile keeps it until its labels
 * or the profile change: nothing is withdrawn because a cluster is unreachable.
 */
export function matchProfile(profile: Profile, view: FleetView): readonly ClusterId[] {
  const { clusterSelector: selector, clusterRefs: refs, kind, metadata } = profile;
  const clusters = isEmptySelector(selector) ? [] : view.clusters().map((cluster) => keptIfDeployed(cluster, view));
  const ofSets = view.sets.flatMap((set) => clustersOfSet(set, view));
  const within = kind === "Profile" ? { namespace: metadata.namespace ?? "" } : {};
  return matchingClusters({ selector, refs, ofSets, ...within }, clusters).filter(
    (id) => view.isKnown(clusterKey(id)) && selectsNamespace(metadata.annotations, id.namespace),
  );
}

function keptIfDeployed(cluster: ManagedCluster, { isDeployedTo }: FleetView): ManagedCluster {
  return cluster.ready || !isDeployedTo(clusterKey(cluster)) ? cluster : { ...cluster, ready: true };
}

/**
 * The clusters of a set. A set deselects a cluster that is down; when it has no other instead, the profile stays in the one
 * that it is deployed to.
 */
function clustersOfSet(set: KubeObject, { clusters, isDeployedTo }: FleetView): readonly ClusterId[] {
  const selected = selectedClustersOf(set);
  const reading = readClusterSet(set);
  if (reading.state === "invalid" || selected.length >= reading.value.maxReplicas) return selected;
  const keys = new Set(selected.map(clusterKey));
  const all = clusters();
  const away = all.filter(
    (cluster) => !keys.has(clusterKey(cluster)) && isDeployedTo(clusterKey(cluster)) && (!cluster.ready || cluster.down),
  );
  if (away.length === 0) return selected;
  const candidates = all.filter((cluster) => keys.has(clusterKey(cluster)) || away.includes(cluster));
  return selectClusters(
    reading.value,
    candidates.map((cluster) => ({ ...cluster, ready: true, down: false })),
    selected,
  ).selected;
}

import { isEmptySelector, readClusterSet, type ClusterId, type ManagedCluster, type Profile } from "../../api/index.ts";
import { selectClusters, clusterKey, matchingClusters, selectedClustersOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** What is known of the fleet when clusters are matched. */
export type FleetView = {
  readonly clusters: () => readonly ManagedCluster[];
  readonly isKnown: (key: string) => boolean;
  /** The sets that the profile names, as far as they are there. */
  readonly sets: readonly KubeObject[];
  /** The profile is in this cluster already. */
  readonly isDeployedTo: (key: string) => boolean;
};

/**
 * The clusters that a profile is for. A cluster must be ready to be selected; once it has the profile it keeps it until
 * its labels or the profile say otherwise: nothing is withdrawn because a cluster cannot be reached.
 */
export function matchProfile(profile: Profile, view: FleetView): readonly ClusterId[] {
  const { clusterSelector: selector, clusterRefs: refs, kind, metadata } = profile;
  const clusters = isEmptySelector(selector) ? [] : view.clusters().map((cluster) => keptIfDeployed(cluster, view));
  const ofSets = view.sets.flatMap((set) => clustersOfSet(set, view));
  const within = kind === "Profile" ? { namespace: metadata.namespace ?? "" } : {};
  return matchingClusters({ selector, refs, ofSets, ...within }, clusters).filter((id) => view.isKnown(clusterKey(id)));
}

function keptIfDeployed(cluster: ManagedCluster, { isDeployedTo }: FleetView): ManagedCluster {
  return cluster.ready || !isDeployedTo(clusterKey(cluster)) ? cluster : { ...cluster, ready: true };
}

/**
 * The clusters of a set. It lets go of one that is down; where it has found no other in its place, the profile stays in
 * the one that it is in.
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

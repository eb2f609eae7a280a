import { isEmptySelector, readClusterSet, type ClusterId, type ManagedCluster, type Profile } from "../../api/index.ts";
import { choose, clusterKey, matchingClusters, selectedBy } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/** What is known of the fleet when clusters are matched. */
export type View = {
  readonly clusters: () => readonly ManagedCluster[];
  readonly isKnown: (key: string) => boolean;
  /** The sets that the profile names, as far as they are there. */
  readonly sets: readonly KubeObject[];
  /** The profile is in this cluster already. */
  readonly has: (key: string) => boolean;
};

/**
 * The clusters that a profile is for. A cluster must be ready to be selected; once it has the profile it keeps it until
 * its labels or the profile say otherwise: nothing is withdrawn because a cluster cannot be reached.
 */
export function matching(profile: Profile, view: View): readonly ClusterId[] {
  const { clusterSelector: selector, clusterRefs: refs, kind, metadata } = profile;
  const clusters = isEmptySelector(selector) ? [] : view.clusters().map((cluster) => steady(cluster, view));
  const ofSets = view.sets.flatMap((set) => selectedOf(set, view));
  const within = kind === "Profile" ? { namespace: metadata.namespace ?? "" } : {};
  return matchingClusters({ selector, refs, ofSets, ...within }, clusters).filter((id) => view.isKnown(clusterKey(id)));
}

function steady(cluster: ManagedCluster, { has }: View): ManagedCluster {
  return cluster.ready || !has(clusterKey(cluster)) ? cluster : { ...cluster, ready: true };
}

/**
 * The clusters of a set. It lets go of one that is down; where it has found no other in its place, the profile stays in
 * the one that it is in.
 */
function selectedOf(set: KubeObject, { clusters, has }: View): readonly ClusterId[] {
  const selected = selectedBy(set);
  const reading = readClusterSet(set);
  if (reading.state === "invalid" || selected.length >= reading.value.maxReplicas) return selected;
  const keys = new Set(selected.map(clusterKey));
  const all = clusters();
  const away = all.filter((cluster) => !keys.has(clusterKey(cluster)) && has(clusterKey(cluster)) && (!cluster.ready || cluster.down));
  if (away.length === 0) return selected;
  const candidates = all.filter((cluster) => keys.has(clusterKey(cluster)) || away.includes(cluster));
  return choose(
    reading.value,
    candidates.map((cluster) => ({ ...cluster, ready: true, down: false })),
    selected,
  ).selected;
}

import {
  clusterReferredTo,
  gvkOf,
  readClusterSet,
  selectsCluster,
  type ClusterId,
  type EventTrigger,
  type ManagedCluster,
} from "../../api/index.ts";
import { clusterKey, matchingClusters, selectedClustersOf, unavailableBecause } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";

/**
 * Whether a trigger matches a cluster. `undecided`: it may match once the cluster works again; until then the generated
 * objects stay as they are.
 */
type ClusterMatch =
  | { readonly state: "matches" | "unmatched" }
  /** `sets`: the ClusterSets that may decide it. */
  | { readonly state: "undecided"; readonly because: string; readonly sets: readonly string[] };

export function matchCluster(
  { sourceClusterSelector: selector, clusterSetRefs }: Pick<EventTrigger, "sourceClusterSelector" | "clusterSetRefs">,
  cluster: ManagedCluster,
  cache: SharedCache,
): ClusterMatch {
  const sets = clusterSetRefs.flatMap((name) => cache.find(gvkOf("ClusterSet"), "", name) ?? []);
  const isMatching = matchingClusters({ selector, ofSets: sets.flatMap(selectedClustersOf) }, [cluster]).some((id) => isSame(id, cluster));
  const notWorking = reasonOf(cluster);
  if (notWorking === undefined) {
    if (isMatching) return { state: "matches" };
    return sets.some((set) => isSelectedSoon(set, cluster))
      ? { state: "undecided", because: "its ClusterSet has not chosen it yet", sets: clusterSetRefs }
      : { state: "unmatched" };
  }
  // A ClusterSet deselects a failing cluster and selects it again later.
  const mayMatch = isMatching || selectsCluster(selector, cluster.labels) || sets.length > 0;
  return mayMatch ? { state: "undecided", because: notWorking, sets: clusterSetRefs } : { state: "unmatched" };
}

function reasonOf(cluster: ManagedCluster): string | undefined {
  const because = unavailableBecause(cluster);
  return because && `the cluster ${because}`;
}

/** The ClusterSet matches the cluster and has room for it: its status will select it. */
function isSelectedSoon(set: KubeObject, cluster: ManagedCluster): boolean {
  const reading = readClusterSet(set);
  if (reading.state === "invalid" || selectedClustersOf(set).length >= reading.value.maxReplicas) return false;
  const { clusterSelector, clusterRefs } = reading.value;
  return (
    selectsCluster(clusterSelector, cluster.labels) ||
    clusterRefs.some((ref) => {
      const id = clusterReferredTo(ref);
      return id !== undefined && isSame(id, cluster);
    })
  );
}

function isSame(a: ClusterId, b: ClusterId): boolean {
  return clusterKey(a) === clusterKey(b);
}

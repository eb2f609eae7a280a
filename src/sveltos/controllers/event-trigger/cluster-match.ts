import {
  clusterReferredTo,
  gvkOf,
  readClusterSet,
  selectsCluster,
  type ClusterId,
  type EventTrigger,
  type ManagedCluster,
} from "../../api/index.ts";
import { clusterKey, matchingClusters, selectedClustersOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { SharedCache } from "../context/index.ts";

/**
 * How a cluster stands to a trigger. `unclear`: it would match, or might, were it in order; what is there stays and
 * nothing is added.
 */
export type ClusterMatch =
  | { readonly state: "matches" | "strange" }
  /** `sets`: the ClusterSets that may settle it. */
  | { readonly state: "unclear"; readonly because: string; readonly sets: readonly string[] };

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
      ? { state: "unclear", because: "its ClusterSet has not chosen it yet", sets: clusterSetRefs }
      : { state: "strange" };
  }
  // A set turns to other clusters when one is in trouble, and comes back to it.
  const mayMatch = isMatching || selectsCluster(selector, cluster.labels) || sets.length > 0;
  return mayMatch ? { state: "unclear", because: notWorking, sets: clusterSetRefs } : { state: "strange" };
}

function reasonOf({ ready, down, paused, deleting }: ManagedCluster): string | undefined {
  if (deleting) return "the cluster is being deleted";
  if (!ready) return "the cluster is not ready";
  if (down) return "the cluster cannot be reached";
  return paused ? "the cluster is paused" : undefined;
}

/** A set that wants the cluster and has room for it: that its status does not say so yet is a matter of time. */
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

import {
  clusterReferredTo,
  selectsCluster,
  type ClusterId,
  type ClusterSet,
  type ManagedCluster,
  type ObjectReference,
} from "../api/index.ts";
import type { LabelSelectorObject } from "../../core/object/index.ts";
import { clusterKey } from "./cluster-key.ts";

/** What a profile, trigger or set says about the clusters that it wants. */
type ClusterCriteria = {
  /** An empty selector matches no cluster. */
  readonly selector: LabelSelectorObject;
  /** Added even if the cluster is not ready or does not exist. Default: none. */
  readonly refs?: readonly ObjectReference[];
  /** The clusters that ClusterSets or Sets have selected: see `selectedClustersOf`. Default: none. */
  readonly ofSets?: readonly ClusterId[];
  /** Only clusters of this namespace, as for a Profile or Set. Default: all namespaces. */
  readonly namespace?: string;
};

/** The clusters that match: ready ones that the selector selects, then referenced ones, each once. */
export function matchingClusters(
  { selector, refs = [], ofSets = [], namespace }: ClusterCriteria,
  clusters: readonly ManagedCluster[],
): readonly ClusterId[] {
  const selected = clusters.filter(({ ready, labels }) => ready && selectsCluster(selector, labels)).map(idOf);
  const named = refs.flatMap((ref) => referencedCluster(ref, namespace) ?? []);
  const all = [...selected, ...named, ...ofSets].filter((id) => namespace === undefined || id.namespace === namespace);
  return [...new Map(all.map((id) => [clusterKey(id), id])).values()];
}

/** The clusters that match a ClusterSet or Set, and those of them that it selects. */
type ClusterSetSelection = { readonly matching: readonly ClusterId[]; readonly selected: readonly ClusterId[] };

/**
 * Selects up to `maxReplicas` of the clusters that match a set and are not down. Clusters that were selected before stay
 * selected while they match; others follow in the order of their keys.
 */
export function selectClusters(set: ClusterSet, clusters: readonly ManagedCluster[], before: readonly ClusterId[]): ClusterSetSelection {
  const namespace = set.kind === "Set" ? { namespace: set.metadata.namespace ?? "" } : {};
  const matching = matchingClusters({ selector: set.clusterSelector, refs: set.clusterRefs, ...namespace }, clusters);
  const down = new Set(clusters.filter((cluster) => cluster.down).map((cluster) => clusterKey(cluster)));
  const candidates = new Map(matching.filter((id) => !down.has(clusterKey(id))).map((id) => [clusterKey(id), id]));
  const kept = before.filter((id) => candidates.has(clusterKey(id)));
  const others = [...candidates.values()].filter((id) => !kept.some((other) => clusterKey(other) === clusterKey(id)));
  return { matching, selected: [...kept, ...others].slice(0, Math.max(0, set.maxReplicas)) };
}

/** The cluster that a reference names; undefined when it names something else. */
export function referencedCluster(reference: ObjectReference, within?: string): ClusterId | undefined {
  return clusterReferredTo(within === undefined ? reference : { ...reference, namespace: within });
}

function idOf({ type, namespace, name }: ManagedCluster): ClusterId {
  return { type, namespace, name };
}

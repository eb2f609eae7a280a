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

/** Which clusters somebody wants. */
export type ClusterCriteria = {
  /** An empty one selects none. */
  readonly selector: LabelSelectorObject;
  /** Added as they are, ready or not, there or not. Default: none. */
  readonly refs?: readonly ObjectReference[];
  /** Those that ClusterSets or Sets have selected: see `selectedBy`. Default: none. */
  readonly ofSets?: readonly ClusterId[];
  /** Only clusters of this namespace: what a Profile, Set or namespaced trigger may have. Default: of all. */
  readonly namespace?: string;
};

/** The clusters that match: those that are ready and that the selector selects, then those named, each once. */
export function matchingClusters(
  { selector, refs = [], ofSets = [], namespace }: ClusterCriteria,
  clusters: readonly ManagedCluster[],
): readonly ClusterId[] {
  const selected = clusters.filter(({ ready, labels }) => ready && selectsCluster(selector, labels)).map(idOf);
  const named = refs.flatMap((ref) => referencedCluster(ref, namespace) ?? []);
  const all = [...selected, ...named, ...ofSets].filter((id) => namespace === undefined || id.namespace === namespace);
  return [...new Map(all.map((id) => [clusterKey(id), id])).values()];
}

/** The clusters of a ClusterSet: all that match, and the chosen ones of them. */
export type ClusterSetSelection = { readonly matching: readonly ClusterId[]; readonly selected: readonly ClusterId[] };

/**
 * Chooses up to `maxReplicas` of the clusters that match a set and are not known to be down. Those chosen before stay
 * as long as they can; the others fill up in the order of their keys.
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

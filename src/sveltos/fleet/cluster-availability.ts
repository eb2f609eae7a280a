import { isEmptySelector, selectsCluster, firstFew, type ManagedCluster } from "../api/index.ts";
import { labelSelectorOf, labelSelectorText, type LabelSelectorObject } from "../../core/object/index.ts";

/** Why nothing can be done in a cluster now: `cannot be reached`. Undefined for one that works. */
export function unavailableBecause(cluster: ManagedCluster | undefined): string | undefined {
  if (cluster === undefined) return "is not known";
  const { ready, down, paused, deleting } = cluster;
  if (deleting) return "is being deleted";
  if (!ready) return "is not ready";
  if (down) return "cannot be reached";
  return paused ? "is paused" : undefined;
}

/** Why a selector of clusters, which `field` names, selects none of these that works. */
export function noMatchText(field: string, selector: LabelSelectorObject, clusters: readonly ManagedCluster[]): string {
  if (isEmptySelector(selector)) return `${field} is empty, which matches no cluster`;
  const text = labelSelectorText(labelSelectorOf(selector));
  const near = clusters.filter(({ labels }) => selectsCluster(selector, labels));
  if (near.length === 0) return `no cluster has the labels of ${field}: ${text}`;
  const reasons = near.map((cluster) => `${cluster.namespace}/${cluster.name} ${unavailableBecause(cluster) ?? "works"}`);
  return `no cluster that works has the labels of ${field}, ${text}: ${firstFew(reasons)}`;
}

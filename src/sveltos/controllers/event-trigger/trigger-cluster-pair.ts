import { labelValue, originOf, sveltosNamespace, type ClusterId } from "../../api/index.ts";
import { clusterIdOf, clusterKey } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/**
 * A trigger and a cluster whose events it answers to. Both names are spelled as in labels, because the labels of what was
 * made are all there is to go by once the trigger or the cluster is gone.
 */
export type TriggerClusterPair = { readonly trigger: string; readonly cluster: ClusterId };

export function pairOf(trigger: string, cluster: ClusterId): TriggerClusterPair {
  return { trigger: labelValue(trigger), cluster: clusterAsInLabels(cluster) };
}

export function clusterAsInLabels({ type, namespace, name }: ClusterId): ClusterId {
  return { type, namespace, name: labelValue(name) };
}

/** What the queue knows a pair by. No name has a space in it. */
export function pairKey({ trigger, cluster }: TriggerClusterPair): string {
  return `pair ${clusterKey(cluster)} ${trigger}`;
}

/** Reads what `pairKey` wrote. */
export function pairOfKey(key: string): TriggerClusterPair {
  const [, cluster = "", trigger = ""] = key.split(" ");
  return { trigger, cluster: clusterIdOf(cluster) };
}

/** What an object was made for; undefined for one that no trigger has made. Copies of ours in other namespaces are not ours. */
export function pairOfGenerated({ kind, metadata }: KubeObject): TriggerClusterPair | undefined {
  if (kind !== "ClusterProfile" && metadata.namespace !== sveltosNamespace) return undefined;
  return pairOfLabels(metadata.labels);
}

/** As `pairOfMade`, for ClusterSummaries, which carry the labels of their profile. */
export function pairOfLabels(labels: KubeObject["metadata"]["labels"]): TriggerClusterPair | undefined {
  const origin = originOf(labels);
  return origin && { trigger: origin.trigger, cluster: origin.cluster };
}

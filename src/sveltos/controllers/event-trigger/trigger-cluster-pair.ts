import { labelValue, originOf, sveltosNamespace, type ClusterId } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";

/**
 * A trigger and a cluster whose events it handles. Both names are spelled as in labels: once the trigger or the cluster is
 * gone, only the labels of the generated objects name them.
 */
export type TriggerClusterPair = { readonly trigger: string; readonly cluster: ClusterId };

export function pairOf(trigger: string, cluster: ClusterId): TriggerClusterPair {
  return { trigger: labelValue(trigger), cluster: clusterAsInLabels(cluster) };
}

export function clusterAsInLabels({ type, namespace, name }: ClusterId): ClusterId {
  return { type, namespace, name: labelValue(name) };
}

/** The pair that an object was generated for; undefined for any other object. A copy of one in another namespace is not generated. */
export function pairOfGenerated({ kind, metadata }: KubeObject): TriggerClusterPair | undefined {
  if (kind !== "ClusterProfile" && metadata.namespace !== sveltosNamespace) return undefined;
  return pairOfLabels(metadata.labels);
}

/** As `pairOfGenerated`, for ClusterSummaries, which carry the labels of their profile. */
export function pairOfLabels(labels: KubeObject["metadata"]["labels"]): TriggerClusterPair | undefined {
  const origin = originOf(labels);
  return origin && { trigger: origin.trigger, cluster: origin.cluster };
}

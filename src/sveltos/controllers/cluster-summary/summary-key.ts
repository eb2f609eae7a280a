import { stringAt, type KubeObject } from "../../../core/object/index.ts";

/** The key of the cluster that a ClusterSummary is for, as the fleet has it: `Sveltos/mgmt/c1`. */
export function clusterKeyOf(summary: KubeObject): string {
  const text = (field: string) => stringAt(summary, `spec.${field}`, "");
  return `${text("clusterType")}/${text("clusterNamespace")}/${text("clusterName")}`;
}

/**
 * The profile controller writes a ClusterSummary beside its cluster. One in another namespace was written by somebody else, who may
 * have no right to that cluster.
 */
export function isMisplaced(summary: KubeObject): boolean {
  return summary.metadata.namespace !== stringAt(summary, "spec.clusterNamespace", "");
}

/** Names a ClusterSummary and the cluster that it is for, by the fleet's key. */
export type SummaryKey = { readonly cluster: string; readonly namespace: string; readonly name: string };

export function summaryKeyOf(summary: KubeObject): SummaryKey {
  const { namespace = "", name } = summary.metadata;
  return { cluster: clusterKeyOf(summary), namespace, name };
}

/** The identity of a key in queues, maps and logs: `Sveltos/mgmt/c1/mgmt/demo-sveltos-c1`. */
export function summaryIdentity({ cluster, namespace, name }: SummaryKey): string {
  return `${cluster}/${namespace}/${name}`;
}

/** How many ClusterSummaries of one cluster are reconciled at once, of each tenant and of the platform. */
export const summariesPerCluster = 32;

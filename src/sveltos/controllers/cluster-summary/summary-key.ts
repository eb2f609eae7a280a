import { stringAt, type KubeObject } from "../../../core/object/index.ts";

/** The key of the cluster that a ClusterSummary is for, as the fleet has it: `Sveltos/mgmt/c1`. */
export function clusterKeyOf(summary: KubeObject): string {
  const text = (field: string) => stringAt(summary, `spec.${field}`, "");
  return `${text("clusterType")}/${text("clusterNamespace")}/${text("clusterName")}`;
}

/** One string for a ClusterSummary that says its cluster too: `Sveltos/mgmt/c1/mgmt/demo-sveltos-c1`. */
export function summaryKey(summary: KubeObject): string {
  const { namespace = "", name } = summary.metadata;
  return `${clusterKeyOf(summary)}/${namespace}/${name}`;
}

/** The cluster of a key: its lane. */
export function clusterOfSummaryKey(key: string): string {
  return key.split("/", 3).join("/");
}

/** Where the ClusterSummary of a key is. */
export function nameOfSummaryKey(key: string): { readonly namespace: string; readonly name: string } {
  const [, , , namespace = "", name = ""] = key.split("/");
  return { namespace, name };
}

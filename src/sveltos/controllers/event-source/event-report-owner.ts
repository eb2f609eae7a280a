import { eventSourceNameLabel } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";

/** The cluster of an EventReport in the management cluster, as the fleet's key; undefined for an agent's report on its own cluster. */
export function clusterOfEventReport(report: KubeObject): string | undefined {
  const type = stringAt(report, "spec.clusterType");
  const name = stringAt(report, "spec.clusterName", "");
  if ((type !== "Sveltos" && type !== "Capi") || name === "") return undefined;
  return clusterKey({ type, namespace: report.metadata.namespace ?? "", name });
}

export function eventSourceOfReport(report: KubeObject): string {
  return stringAt(report, "spec.eventSourceName") ?? report.metadata.labels?.[eventSourceNameLabel] ?? "";
}

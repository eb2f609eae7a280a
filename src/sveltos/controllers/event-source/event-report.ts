import { eventSourceNameLabel } from "../../api/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";

/** The cluster that a report of the management cluster is about; undefined for one that an agent wrote about its own. */
export function clusterOfEventReport(report: KubeObject): string | undefined {
  const type = stringAt(report, "spec.clusterType");
  const name = stringAt(report, "spec.clusterName", "");
  if ((type !== "Sveltos" && type !== "Capi") || name === "") return undefined;
  return clusterKey({ type, namespace: report.metadata.namespace ?? "", name });
}

export function eventSourceOfReport(report: KubeObject): string {
  return stringAt(report, "spec.eventSourceName") ?? report.metadata.labels?.[eventSourceNameLabel] ?? "";
}

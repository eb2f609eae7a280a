import type { Cluster } from "../../kube/index.ts";
import {
  clusterLabels,
  clusterProfileNameLabel,
  eventTriggerNameLabel,
  gvkOf,
  labelValue,
  profileNameLabel,
} from "../../sveltos/api/index.ts";
import type { CellDetail } from "../api/index.ts";
import { deploymentItemOf } from "./deployment-item.ts";

const profileLabels: Readonly<Record<string, string>> = {
  ClusterProfile: clusterProfileNameLabel,
  Profile: profileNameLabel,
  EventTrigger: eventTriggerNameLabel,
};

/** Reads what the ClusterSummaries of one cell of the matrix say: `cluster` and `column` are its keys. */
export async function readCell(
  query: URLSearchParams,
  { cluster: hub, signal }: { readonly cluster: Cluster; readonly signal: AbortSignal },
): Promise<CellDetail> {
  const [clusterKind, namespace = "", name = ""] = (query.get("cluster") ?? "").split("/");
  const [columnKind = "", , profile = ""] = (query.get("column") ?? "").split("/");
  const label = profileLabels[columnKind];
  if (label === undefined || namespace === "" || name === "") return { deployments: [] };
  const id = { type: clusterKind === "Cluster" ? "Capi" : "Sveltos", namespace, name } as const;
  const labels = { ...clusterLabels(id), [label]: labelValue(profile) };
  const labelSelector = Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const { items } = await hub.list(gvkOf("ClusterSummary"), { namespace, labelSelector, signal });
  return { deployments: items.flatMap((summary) => deploymentItemOf(summary) ?? []) };
}

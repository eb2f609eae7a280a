import type { KubeObject } from "../../core/object/index.ts";
import { originOf } from "../../sveltos/api/index.ts";
import { clusterRefIn, commonText, ownerProfileOf } from "../../sveltos/inspect/index.ts";
import type { FleetClusterRef } from "../../view/index.ts";
import type { CellState } from "../api/index.ts";
import { summaryStateOf } from "./summary-state.ts";

/** What the matrix keeps of a ClusterSummary. */
type SummaryCell = {
  /** The key of the cluster. */
  readonly cluster: string;
  /** The key of the column. */
  readonly column: string;
  readonly state: CellState;
  /** Without what differs between clusters. */
  readonly reason?: string;
};

/** Reduces a ClusterSummary to its cell. There may be 50,000. */
export function reduceSummary(summary: KubeObject): KubeObject {
  const { apiVersion, kind, metadata } = summary;
  const { name, namespace = "", uid, resourceVersion, deletionTimestamp } = metadata;
  const kept = {
    name,
    namespace,
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
    ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
  };
  const cell = cellOf(summary);
  return { apiVersion, kind, metadata: kept, ...(cell === undefined ? {} : { cell }) };
}

function cellOf(summary: KubeObject): SummaryCell | undefined {
  const owner = ownerProfileOf(summary);
  if (owner === undefined) return undefined;
  const cluster = clusterRefIn(summary);
  const trigger = originOf(summary.metadata.labels)?.trigger;
  const column = trigger === undefined ? `${owner.kind}/${owner.namespace ?? ""}/${owner.name}` : `EventTrigger//${trigger}`;
  const { state, reason } = summaryStateOf(summary);
  return {
    cluster: clusterKeyOf(cluster),
    column,
    state,
    ...(reason === undefined ? {} : { reason: commonText(reason, cluster) }),
  };
}

/** `SveltosCluster/fleet/east`. */
export function clusterKeyOf({ type, namespace, name }: FleetClusterRef): string {
  return `${type === "Capi" ? "Cluster" : "SveltosCluster"}/${namespace}/${name}`;
}

/** The cell of a reduced ClusterSummary; undefined when it belongs to no profile. */
export function cellIn(reduced: KubeObject): SummaryCell | undefined {
  return reduced["cell"] as SummaryCell | undefined;
}

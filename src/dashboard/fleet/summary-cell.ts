import type { KubeObject } from "../../core/object/index.ts";
import { originOf } from "../../sveltos/api/index.ts";
import { clusterRefIn, commonText, ownerProfileOf, type Occurrence } from "../../sveltos/inspect/index.ts";
import type { FleetClusterRef } from "../../view/index.ts";
import type { CellState } from "../api/index.ts";
import { summaryStateOf } from "./summary-state.ts";

/** What the matrix keeps of a ClusterSummary. */
export type SummaryCell = {
  /** The key of the cluster. */
  readonly cluster: string;
  /** The key of the column. */
  readonly column: string;
  readonly state: CellState;
  /** Without what differs between clusters. */
  readonly reason?: string;
};

/** The cell of a ClusterSummary, by what it says of itself; undefined when it belongs to no profile. */
export function cellOf(summary: KubeObject, said: readonly Occurrence[]): SummaryCell | undefined {
  const owner = ownerProfileOf(summary);
  if (owner === undefined) return undefined;
  const cluster = clusterRefIn(summary);
  const trigger = originOf(summary.metadata.labels)?.trigger;
  const column = trigger === undefined ? `${owner.kind}/${owner.namespace ?? ""}/${owner.name}` : `EventTrigger//${trigger}`;
  const { state, reason } = summaryStateOf(summary, said);
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

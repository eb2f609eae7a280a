import type { AddonContext } from "../../deploy/index.ts";
import { clusterUidOf, type FleetCluster, type ClusterConnection } from "../../fleet/index.ts";
import { keyOf, type ObjectRef } from "../../../core/object/index.ts";
import type { WorkQueue } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import type { DriftRepairer } from "./drift-repairer.ts";
import type { OwnershipAudit } from "./ownership-audit.ts";
import type { ReferenceTracker } from "./reference-tracker.ts";
import type { SummaryIndex } from "./summary-index.ts";
import type { SummaryKey } from "./summary-key.ts";
import type { SummarySyncState } from "./summary-sync-state.ts";

/** What the reconciler of ClusterSummaries works with, for as long as the controller runs. */
export type SummaryControllerState = {
  readonly context: ControllerContext;
  readonly queue: Pick<WorkQueue<SummaryKey>, "add">;
  readonly summaryIndex: SummaryIndex;
  readonly references: ReferenceTracker;
  readonly syncState: SummarySyncState;
  readonly driftRepairer: DriftRepairer;
  readonly configurations: ClusterConfigurationWriter;
  readonly ownershipAudit: OwnershipAudit;
};

/** The ClusterSummary that is reconciled and its cluster. The signal aborts when the cluster or its connection is lost. */
export type TargetContext = {
  readonly key: SummaryKey;
  readonly cluster: FleetCluster;
  readonly connection: ClusterConnection;
  readonly signal: AbortSignal;
};

export function addonContextOf(
  { context, summaryIndex }: SummaryControllerState,
  { key, cluster, connection }: TargetContext,
): AddonContext {
  const { hub, environment, charts, identity } = context;
  const claimants = (ref: ObjectRef) => summaryIndex.claimantsOf(keyOf(ref), key);
  const clusterUid = clusterUidOf(cluster);
  return {
    hub,
    cluster: connection.cluster,
    claimants,
    underOtherNames: () => summaryIndex.underOtherNames(key),
    environment,
    identity,
    ...(clusterUid === undefined ? {} : { clusterUid }),
    ...(charts === undefined ? {} : { charts }),
  };
}

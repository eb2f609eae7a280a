import type { AddonContext } from "../../deploy/index.ts";
import { clusterUidOf, type FleetCluster, type ClusterConnection } from "../../fleet/index.ts";
import { keyOf, type ObjectRef } from "../../../core/object/index.ts";
import type { WorkQueue } from "../../../reconcile/index.ts";
import { managedUserOf } from "../../tenant/index.ts";
import { ownedBy, type TaskRunner } from "../../../worker/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import type { DriftRepairer } from "./drift-repairer.ts";
import type { OwnershipAudit } from "./ownership-audit.ts";
import type { ReferenceTracker } from "./reference-tracker.ts";
import { accessContextOf, type SummaryAccess } from "./summary-access.ts";
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
  /** On whose word it is deployed. */
  readonly access: SummaryAccess;
  readonly signal: AbortSignal;
};

/** All profiles of a tenant share its turns: it could write any number of them. */
function tasksAs(access: SummaryAccess, tasks: TaskRunner): TaskRunner {
  return access.by === "platform" ? tasks : ownedBy(managedUserOf(access.tenant), tasks);
}

export function addonContextOf(
  { context, summaryIndex }: SummaryControllerState,
  { key, cluster, connection, access }: TargetContext,
): AddonContext {
  const { hub, environment, tasks, charts, identity, recordings } = context;
  const claimants = (ref: ObjectRef) => summaryIndex.claimantsOf(keyOf(ref), key);
  const clusterUid = clusterUidOf(cluster);
  return {
    hub,
    ...accessContextOf(access, connection.cluster, context),
    claimants,
    underOtherNames: () => summaryIndex.underOtherNames(key),
    environment,
    identity,
    ...(tasks === undefined ? {} : { tasks: tasksAs(access, tasks) }),
    ...(clusterUid === undefined ? {} : { clusterUid }),
    ...(charts === undefined ? {} : { charts }),
    ...(recordings === undefined ? {} : { recordings }),
  };
}

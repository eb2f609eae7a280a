import type { AddonContext } from "../../deploy/index.ts";
import type { FleetCluster, ClusterConnection } from "../../fleet/index.ts";
import type { WorkQueue } from "../../../reconcile/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { ClusterConfigurationWriter } from "./cluster-configuration-writer.ts";
import type { DriftRepairer } from "./drift-repairer.ts";
import type { ReferenceTracker } from "./reference-tracker.ts";
import type { SummaryIndex } from "./summary-index.ts";
import type { SummarySyncState } from "./summary-sync-state.ts";

/** What the keeping of ClusterSummaries works with. */
export type SummaryControllerState = {
  readonly context: ControllerContext;
  readonly queue: Pick<WorkQueue, "add">;
  readonly summaryIndex: SummaryIndex;
  readonly references: ReferenceTracker;
  readonly syncState: SummarySyncState;
  readonly driftRepairer: DriftRepairer;
  readonly configurations: ClusterConfigurationWriter;
};

/** A ClusterSummary's place of work: its cluster, which is there to be worked in for as long as the signal does not abort. */
export type TargetContext = {
  readonly key: string;
  readonly cluster: FleetCluster;
  readonly link: ClusterConnection;
  readonly signal: AbortSignal;
};

export function addonContextOf({ hub, environment, charts, identity }: ControllerContext, { link }: TargetContext): AddonContext {
  return { hub, cluster: link.cluster, environment, identity, ...(charts === undefined ? {} : { charts }) };
}

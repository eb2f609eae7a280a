/**
 * The ClusterSummary controller: deploys each ClusterSummary to its cluster, withdraws it when it is deleted, repairs
 * drift, and writes the cluster's ClusterConfiguration and the ClusterReports of dry runs.
 *
 * It runs in every replica, for the clusters that the replica owns. Each cluster is a lane of the queue, so that a slow or
 * dead one does not delay the others. It does not know how a profile is deployed (`sveltos/deploy`) or which clusters
 * match it (`controllers/profile`).
 */
export { runSummaryController } from "./run-summary-controller.ts";

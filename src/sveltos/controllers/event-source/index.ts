/**
 * The EventSource controller: evaluates in each cluster the EventSources that triggers use there, and writes EventReports to
 * the management cluster.
 *
 * It evaluates by a watch on the managed cluster, or collects the reports of an agent there; the agent's Lease decides
 * which. It runs in every replica, for the clusters that the replica owns. It does not know what triggers make of reports.
 */
export { isolationAs } from "./cluster-evaluator.ts";
export { runEventSourceController } from "./run-event-source-controller.ts";
export { lastMatches, patchStatus, deleteReports } from "./write-report.ts";
export { ReportWriter } from "./report-writer.ts";
export { agentLease } from "./agent-lease.ts";

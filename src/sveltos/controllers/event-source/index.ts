/**
 * Between the objects of managed clusters and the EventReports of the management cluster: says which EventSources matter in
 * which cluster, has them evaluated there, and writes what was found.
 *
 * Events are evaluated from here, by a watch on the managed cluster, or by an agent inside of it, whose reports are carried
 * home; which of the two it is, the cluster shows by the agent's Lease. It runs in every replica, for the clusters that this
 * one attends to. It does not know what triggers make of reports.
 */
export { runEventSourceController } from "./run-event-source-controller.ts";
export { lastMatches, patchStatus, applySourceChange, writeReport } from "./write-report.ts";
export { LastReported } from "./last-reported.ts";
export { agentLease } from "./agent-lease.ts";

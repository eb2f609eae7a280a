/**
 * EventReports as data: findings become a report, a report is read back, and two are compared, so that nothing is written
 * when nothing has changed.
 *
 * Pure. It knows names, labels and the form of what is collected; it writes to no cluster and does not know who does.
 */
export { decodeResources, encodeResources } from "./resources-codec.ts";
export { readEventReport, type EventReport } from "./read-event-report.ts";
export {
  eventReportApiVersion,
  isSameReport,
  managementCopy,
  buildEventReport,
  type ReportPhase,
  type ReportResult,
  type ReportInput,
} from "./event-report.ts";
export { clusterInfoFor, buildEventSourceStatus } from "./event-source-status.ts";

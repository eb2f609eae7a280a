/**
 * EventReports as data: findings become a report, a report is read back, and two are compared, so that nothing is written
 * when nothing has changed.
 *
 * Pure. It knows names, labels and the form of what is collected; it writes to no cluster and does not know who does.
 */
export { decodeObjects, encodeObjects } from "./documents.ts";
export { readReport, type EventReport } from "./read-report.ts";
export { eventReportApiVersion, isSameReport, managementCopy, report, type Phase, type Reported, type ReportInput } from "./report.ts";
export { clusterInfo, eventSourceStatus } from "./status.ts";

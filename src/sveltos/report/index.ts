/**
 * Builds, reads and compares EventReports, and builds the status of EventSources. Comparing avoids writes that change
 * nothing.
 *
 * Pure. It knows names, labels and the encoding of collected objects. It does not know who writes reports, or where.
 */
export { decodeResources, encodeResources } from "./resources-codec.ts";
export { readEventReport, type EventReport } from "./read-event-report.ts";
export { isSameReport, managementCopy, buildEventReport } from "./event-report.ts";
export { clusterInfoFor, buildEventSourceStatus } from "./event-source-status.ts";

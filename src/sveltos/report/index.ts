/**
 * Builds, reads and compares EventReports, and builds the status of EventSources. Comparing avoids writes that change
 * nothing.
 *
 * Pure. It knows names, labels and the encoding of collected objects. It does not know who writes reports, or where.
 */
export { decodeResources, encodeResources } from "./resources-codec.ts";
export { readEventReport, readWholeReport, refsOf, type EventReport, type WholeReport } from "./read-event-report.ts";
export {
  buildEventReport,
  buildReportPart,
  bytesOf,
  isSameReport,
  managementCopy,
  reportNameFor,
  withLeftOut,
  type ReportContent,
  type ReportSubject,
} from "./event-report.ts";
export { ReportPacker } from "./report-packer.ts";
export { findParts, reportAnnotationKeys } from "./report-part.ts";
export { failureText, kindNotServed, sourceProblemsIn, type SourceProblems } from "./event-source-problems.ts";
export { clusterInfoFor, buildEventSourceStatus } from "./event-source-status.ts";

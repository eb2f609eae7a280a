/**
 * Turns values into text: lines, tables, diffs and the live table of a run.
 *
 * Pure. It knows what users need to read, and knows neither the terminal nor where the values come from.
 */
export { adminRbacTable, type AdminRbacOutline } from "./admin-rbac-table.ts";
export { isShownRecord, stepProgressLine, plainPaint, type Paint } from "./step-progress-line.ts";
export { failureHints } from "./failure-hints.ts";
export { failureSummary, successSummary } from "./run-summary.ts";
export { progressJson, type RunLabels } from "./progress-json.ts";
export { containerLogLine } from "./container-log-line.ts";
export { eventLine } from "./event-line.ts";
export { heartbeatLine, logLine, type LogTime } from "./log-line.ts";
export { plainLine, textWidth } from "./text-width.ts";
export { progressFrame, mostUrgent, ProgressTable, type ProgressRow } from "./progress-table.ts";
export {
  addonTable,
  dryRunTable,
  clusterText,
  profileText,
  rawDiffLines,
  usageTable,
  type AddonOutline,
  type FleetClusterRef,
  type DryRunOutline,
  type ProfileOutline,
  type UsageOutline,
} from "./fleet.ts";
export { diffLines } from "./diff-lines.ts";
export { fleetChainLines, type ChainLink, type ChainOutline } from "./fleet-chain-lines.ts";
export { occurrenceTable, type OccurrenceOutline } from "./occurrence-table.ts";
export { resourceSummary, resourceTable, type ResourceOutline } from "./resource-table.ts";
export { comparisonJson, comparisonLines, type Comparison } from "./comparison-lines.ts";
export { deferredCheckLines, planDot, planMermaid } from "./plan.ts";
export { proposalJson, proposalLines } from "./proposal-lines.ts";
export { historyTable, nothingText, releaseTable, revisionOutline, revisionTime, statusLines, statusOutline } from "./release.ts";
export { oneLine, table } from "./table.ts";
export { rehearsalJunit } from "./rehearsal-junit.ts";
export { failureTable, killTable, rehearsalLines, rehearsalPage } from "./rehearsal-lines.ts";
export { timelineComparisonLines } from "./timeline-comparison-lines.ts";
export { timelineOutline } from "./timeline-json.ts";
export { timelineLines } from "./timeline-lines.ts";
export { timelineMermaid } from "./timeline-mermaid.ts";
export { timelinePage } from "./timeline-page.ts";
export { chainLines, whyLines, whyOutline } from "./why-lines.ts";

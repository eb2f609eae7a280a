/**
 * Values to text: lines, tables, pictures of a run.
 *
 * Pure. It knows what the values mean to a reader, and neither the terminal nor where the values come from.
 */
export { stepProgressLine, plainPaint, type Paint } from "./step-progress-line.ts";
export { failureSummary, successSummary } from "./run-summary.ts";
export { progressJson, type RunLabels } from "./progress-json.ts";
export { progressFrame, isDone, ProgressTable, type ScreenFrame, type ProgressRow } from "./progress-table.ts";
export { diffLines } from "./diff-lines.ts";
export {
  addonTable,
  dryRunTable,
  clusterText,
  profileText,
  rawDiffLines,
  usageTable,
  type AddonOutline,
  type AddonView,
  type FleetClusterRef,
  type DryRunOutline,
  type ProfileOutline,
  type UsageOutline,
} from "./fleet.ts";
export { occurrenceTable, type OccurrenceOutline } from "./occurrence-table.ts";
export { planDot, planMermaid, planTree } from "./plan.ts";
export { proposalJson, proposalLines, type ProposalView } from "./proposal-lines.ts";
export { historyTable, nothingText, releaseTable, revisionOutline, statusLines, statusOutline, type RevisionOutline } from "./release.ts";
export { table } from "./table.ts";
export { chainLines, whyLines, whyOutline } from "./why-lines.ts";

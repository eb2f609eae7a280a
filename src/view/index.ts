/**
 * Values to text: lines, tables, pictures of a run.
 *
 * Pure. It knows what the values mean to a reader, and neither the terminal nor where the values come from.
 */
export { lineFor, plain, type Paint } from "./line.ts";
export { badEnding, goodEnding } from "./ending.ts";
export { eventJson, type Occasion } from "./event.ts";
export { frameOf, isDone, Live, type Frame, type LiveRow } from "./live.ts";
export { diffLines } from "./diff.ts";
export {
  addonTable,
  dryRunTable,
  placeOf,
  profileText,
  rawDiffLines,
  usageTable,
  type AddonOutline,
  type AddonView,
  type ClusterOutline,
  type DryRunOutline,
  type ProfileOutline,
  type UsageOutline,
} from "./fleet.ts";
export { occurrenceTable, type OccurrenceOutline } from "./occurrence.ts";
export { planDot, planMermaid, planTree } from "./plan.ts";
export { proposalJson, proposalLines, type ProposalView } from "./proposal.ts";
export { historyTable, nothingText, releaseTable, revisionOutline, statusLines, statusOutline, type RevisionOutline } from "./release.ts";
export { table } from "./table.ts";
export { chainLines, whyLines, whyOutline } from "./why.ts";

/**
 * Values to text: lines, tables, pictures of a run.
 *
 * Pure. It knows what the values mean to a reader, and neither the terminal nor where the values come from.
 */
export { lineFor, plain, type Paint } from "./line.ts";
export { frameOf, isReady, liveAfter, liveOf, type Frame, type Live, type LiveRow } from "./live.ts";
export { diffLines } from "./diff.ts";
export { planDot, planJson, planMermaid, planTree } from "./plan.ts";
export { table } from "./table.ts";

import { rowTitle, type RowComparison, type Timeline, type TimelineComparison } from "../release/recording/index.ts";
import { lengthText } from "./length-text.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { plainLine } from "./text-width.ts";
import { headText } from "./timeline-words.ts";

/** Says what became slower and faster from one timeline to another. */
export function timelineComparisonLines(
  before: Timeline,
  after: Timeline,
  comparison: TimelineComparison,
  paint: Paint = plainPaint,
): readonly string[] {
  const { beforeMs, afterMs, slower, faster, added, removed } = comparison;
  const changed = ({ ref, beforeMs: was, afterMs: is, because }: RowComparison) =>
    `${change(is - was).padStart(8)}  ${rowTitle(ref, after.subject)}: ${lengthText(was)} → ${lengthText(is)}${reason(because)}`;
  const one = (ms: number, { ref, because }: RowComparison) =>
    `${lengthText(ms).padStart(8)}  ${rowTitle(ref, after.subject)}${reason(because)}`;
  return [
    `before: ${headText(before)}`,
    `after:  ${headText(after)}`,
    `in all: ${change(afterMs - beforeMs)}`,
    ...section(paint.bad("Slower:"), slower.map(changed)),
    ...section(paint.good("Faster:"), faster.map(changed)),
    ...section(
      "Only now:",
      added.map((row) => one(row.afterMs, row)),
    ),
    ...section(
      "Only before:",
      removed.map((row) => one(row.beforeMs, row)),
    ),
    ...(slower.length + faster.length + added.length + removed.length === 0 ? ["no object took another time than before"] : []),
  ];
}

function change(ms: number): string {
  return `${ms < 0 ? "-" : "+"}${lengthText(Math.abs(ms))}`;
}

function reason(because: string | undefined): string {
  return because === undefined ? "" : `: ${because}`;
}

function section(head: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [head, ...lines.map(plainLine)];
}

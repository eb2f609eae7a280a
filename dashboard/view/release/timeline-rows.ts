import type { ReleaseNode, ReleaseTimelineRow } from "../../../src/dashboard/api/index.ts";
import type { TimelineBar, TimelineChartRow } from "../../timeline/index.ts";
import { objectKey } from "./graph-content.ts";

type TimelineRowsOptions = {
  /** Where the time of a replay is: later bars are not shown. Default: all are. */
  readonly untilMs?: number;
  /** The run goes on, and so do bars whose object is not ready yet. */
  readonly isRunning: boolean;
};

/** A row for each object of the plan, whether it has begun or not: so rows stay where they are while the run goes on. */
export function timelineRowsOf(
  nodes: readonly ReleaseNode[],
  rows: readonly ReleaseTimelineRow[],
  { untilMs, isRunning }: TimelineRowsOptions,
): readonly TimelineChartRow[] {
  const byObject = new Map(rows.map((row) => [objectKey(row.ref), row]));
  const removed = new Set(nodes.filter(({ role }) => role === "removal").map(({ ref }) => objectKey(ref!)));
  return nodes
    .filter((node) => node.ref !== undefined)
    .map((node) => {
      const { id, title, state, because } = node;
      const key = objectKey(node.ref!);
      const row = byObject.get(key);
      const isOpen = isRunning && row?.outcome === "interrupted" && state !== "ready" && state !== "failed";
      const all = row === undefined ? [] : barsOf(row, isOpen);
      const bars = !removed.has(key) ? all : all.filter(({ phase }) => (phase === "delete") === (node.role === "removal"));
      return { id, title, state, ...(because === undefined ? {} : { because }), bars: untilMs === undefined ? bars : cutAt(bars, untilMs) };
    });
}

/** The bars of a row. A wait is one bar for each reason that it had. */
function barsOf({ spans, waits = [] }: ReleaseTimelineRow, isOpen: boolean): readonly TimelineBar[] {
  return spans.flatMap((span, at) => {
    const end = isOpen && at === spans.length - 1 ? undefined : span.toMs;
    const reasons = waits.filter(({ atMs }) => atMs >= span.fromMs && atMs < Math.max(span.toMs, span.fromMs + 1));
    if (span.phase === "apply" || reasons.length === 0) return [barOf(span.phase, span.fromMs, end)];
    return reasons.map(({ atMs, because }, nth) => {
      const from = nth === 0 ? span.fromMs : atMs;
      const next = reasons[nth + 1]?.atMs;
      return { ...barOf(span.phase, from, next ?? end), because };
    });
  });
}

function barOf(phase: TimelineBar["phase"], fromMs: number, toMs: number | undefined): TimelineBar {
  return { phase, fromMs, ...(toMs === undefined ? {} : { toMs }) };
}

/** The bars as they were at a time. */
function cutAt(bars: readonly TimelineBar[], ms: number): readonly TimelineBar[] {
  return bars
    .filter(({ fromMs }) => fromMs <= ms)
    .map((bar) => (bar.toMs !== undefined && bar.toMs <= ms ? bar : { phase: bar.phase, fromMs: bar.fromMs, ...reasonOf(bar) }));
}

function reasonOf({ because }: TimelineBar): { readonly because?: string } {
  return because === undefined ? {} : { because };
}

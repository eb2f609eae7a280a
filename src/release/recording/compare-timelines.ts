import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { Timeline, TimelineRow, TimelineWait } from "./timeline.ts";

/** How long an object took in two timelines. */
export type RowComparison = {
  readonly ref: ObjectRef;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** What it waited for longest in the second one. */
  readonly because?: string;
};

/** What became slower or faster from one timeline to another. */
export type TimelineComparison = {
  readonly beforeMs: number;
  readonly afterMs: number;
  /** The largest increase first. */
  readonly slower: readonly RowComparison[];
  /** The largest decrease first. */
  readonly faster: readonly RowComparison[];
  /** Objects of the second timeline only, the longest first. */
  readonly added: readonly RowComparison[];
  /** Objects of the first timeline only, the longest first. */
  readonly removed: readonly RowComparison[];
};

/** A smaller difference is no difference: requests take their time. */
const leastMs = 500;

export function compareTimelines(before: Timeline, after: Timeline): TimelineComparison {
  const earlier = new Map(before.rows.map((row) => [keyOf(row.ref), row]));
  const later = new Map(after.rows.map((row) => [keyOf(row.ref), row]));
  const compared = [...new Set([...earlier.keys(), ...later.keys()])].map((key) =>
    comparisonOf(earlier.get(key), later.get(key), after.waits),
  );
  const both = compared.filter(({ ref }) => earlier.has(keyOf(ref)) && later.has(keyOf(ref)));
  return {
    beforeMs: before.lengthMs,
    afterMs: after.lengthMs,
    slower: both.filter((row) => growth(row) >= leastMs && hasFinished(earlier, row)).toSorted((a, b) => growth(b) - growth(a)),
    faster: both.filter((row) => growth(row) <= -leastMs && hasFinished(later, row)).toSorted((a, b) => growth(a) - growth(b)),
    added: compared.filter(({ ref }) => !earlier.has(keyOf(ref))).toSorted((a, b) => b.afterMs - a.afterMs),
    removed: compared.filter(({ ref }) => !later.has(keyOf(ref))).toSorted((a, b) => b.beforeMs - a.beforeMs),
  };
}

/** What was skipped, failed or was cut off took no time that another one could beat. */
function hasFinished(rows: ReadonlyMap<string, TimelineRow>, { ref }: RowComparison): boolean {
  return rows.get(keyOf(ref))?.outcome === "finished";
}

function growth({ beforeMs, afterMs }: RowComparison): number {
  return afterMs - beforeMs;
}

function comparisonOf(before: TimelineRow | undefined, after: TimelineRow | undefined, waits: readonly TimelineWait[]): RowComparison {
  const { ref } = after ?? before!;
  const because = after?.because ?? waits.find((wait) => keyOf(wait.ref) === keyOf(ref))?.because;
  return { ref, beforeMs: timeOf(before), afterMs: timeOf(after), ...(because === undefined ? {} : { because }) };
}

/** From applied to ready; the time between an object's steps is not its own. */
function timeOf(row: TimelineRow | undefined): number {
  return (row?.spans ?? []).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

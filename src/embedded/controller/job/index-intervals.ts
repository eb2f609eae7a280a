/** Sorted, disjoint intervals of completion indexes. */
export type Intervals = readonly Interval[];
type Interval = { readonly first: number; readonly last: number };

// Models pkg/controller/job/indexed_job_utils.go orderedIntervals

/** Parses `1,3-5,7`; indexes that are invalid or not below `completions` are left out. */
export function parseIntervals(text: string, completions: number): Intervals {
  const found: Interval[] = [];
  for (const part of text.split(",")) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) >= completions) continue;
    found.push({ first: Number(first), last: Math.min(Number(last ?? first), completions - 1) });
  }
  return mergeIntervals(found, []);
}

/** Formats two neighbours as `1,2`, longer runs as `1-3`. */
export function intervalsText(intervals: Intervals): string {
  return intervals.map(({ first, last }) => (first === last ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`)).join(",");
}

export function mergeIntervals(a: Intervals, b: Intervals): Intervals {
  const merged: Interval[] = [];
  for (const { first, last } of [...a, ...b].sort((x, y) => x.first - y.first)) {
    const previous = merged.at(-1);
    if (previous === undefined || first > previous.last + 1) merged.push({ first, last });
    else if (last > previous.last) merged[merged.length - 1] = { first: previous.first, last };
  }
  return merged;
}

export function withIndexes(intervals: Intervals, indexes: Iterable<number>): Intervals {
  return mergeIntervals(
    intervals,
    Array.from(indexes, (index) => ({ first: index, last: index })),
  );
}

export function hasIndex(intervals: Intervals, index: number): boolean {
  return intervals.some(({ first, last }) => first <= index && index <= last);
}

export function sizeOfIntervals(intervals: Intervals): number {
  return intervals.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The number of indexes in both. */
export function overlap(a: Intervals, b: Intervals): number {
  let shared = 0;
  for (const x of a) for (const y of b) shared += Math.max(0, Math.min(x.last, y.last) - Math.max(x.first, y.first) + 1);
  return shared;
}

/** The lowest `count` indexes below `completions` that are in none of the intervals. */
export function firstMissing(intervals: Intervals, count: number, completions: number): number[] {
  const missing: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...intervals, { first: completions, last: completions }]) {
    for (; candidate < Math.min(first, completions) && missing.length < count; candidate++) missing.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return missing;
}

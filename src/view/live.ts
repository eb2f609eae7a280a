import { keyOf, titleOf, type ObjectRef } from "../object/index.ts";
import type { Progress } from "../release/index.ts";
import { plain, roleOf, wordFor, type Paint } from "./line.ts";

/** One object of a run: what was last heard of it, since when it is being dealt with, and until when it was. */
export type LiveRow = { readonly ref: ObjectRef; readonly progress?: Progress; readonly since?: number; readonly until?: number };

/** How a run stands: every object of it, in the order in which it is told of. */
export type Live = ReadonlyMap<string, LiveRow>;

/** Where a picture has to fit in, and when it is looked at. */
export type Frame = { readonly now: number; readonly columns: number; readonly lines: number };

/** A run of which nothing has been heard yet. */
export function liveOf(refs: readonly ObjectRef[]): Live {
  return new Map(refs.map((ref) => [keyOf(ref), { ref }]));
}

/** The run after one more piece of news. */
export function liveAfter(live: Live, progress: Progress, now: number): Live {
  const { ref } = progress;
  const since = live.get(keyOf(ref))?.since ?? now;
  return new Map(live).set(keyOf(ref), { ref, progress, since, ...(isSettled(progress) ? { until: now } : {}) });
}

/** Tells whether an object became ready. */
export function isReady({ progress }: LiveRow): boolean {
  return progress?.type === "finished" && progress.verb === "await";
}

function isSettled({ type, verb }: Progress): boolean {
  return type === "failed" || type === "skipped" || (type === "finished" && verb === "await");
}

/** The run as a picture: a line for each object that fits, the ones that need attention before the others, and a count. */
export function frameOf(live: Live, { now, columns, lines }: Frame, paint: Paint = plain): readonly string[] {
  const rows = [...live.values()];
  const shown = mostUrgent(rows, Math.max(1, lines - 2));
  const hidden = rows.length - shown.length;
  const cells = shown.map((row) => [titleIn(row.ref), wordOf(row), ageOf(row, now)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((cell) => cell[column]!.length), 0));
  const titleWidth = Math.min(widths[0]!, Math.max(12, Math.floor(columns / 2)));
  const drawn = shown.map((row, index) => {
    const [title, word, age] = cells[index]!;
    const head = `${cut(title, titleWidth).padEnd(titleWidth)}  ${word.padEnd(widths[1]!)}  ${age.padStart(widths[2]!)}`;
    const line = cut(`${head}  ${reasonOf(row)}`.trimEnd(), columns);
    return painted(line, titleWidth + 2, word, row, paint);
  });
  const more = hidden === 0 ? [] : [paint.dim(cut(`… and ${hidden} more`, columns))];
  return [...drawn, ...more, paint.strong(cut(`${rows.filter(isReady).length} of ${rows.length} ready`, columns))];
}

/** What a person has to look at first; within that, the order of the run. */
function mostUrgent(rows: readonly LiveRow[], most: number): readonly LiveRow[] {
  if (rows.length <= most) return rows;
  const chosen = new Set(rows.toSorted((a, b) => urgency(b) - urgency(a)).slice(0, most));
  return rows.filter((row) => chosen.has(row));
}

function urgency(row: LiveRow): number {
  if (row.progress === undefined) return 1;
  if (isReady(row)) return 0;
  return row.progress.type === "failed" ? 3 : 2;
}

function titleIn(ref: ObjectRef): string {
  return ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
}

function wordOf({ progress }: LiveRow): string {
  return progress === undefined ? "pending" : wordFor(progress);
}

function reasonOf({ progress }: LiveRow): string {
  return progress !== undefined && "because" in progress ? (progress.because ?? "") : "";
}

function ageOf({ since, until }: LiveRow, now: number): string {
  if (since === undefined) return "";
  const seconds = Math.max(0, Math.floor(((until ?? now) - since) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes}m${seconds % 60}s` : `${hours}h${minutes % 60}m`;
}

/** One line stays one line, and says that it goes on. */
function cut(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, (blank) => (blank.includes("\n") ? " " : blank));
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/** Colours come last: they take no room. */
function painted(line: string, at: number, word: string, { progress }: LiveRow, paint: Paint): string {
  const brush = progress === undefined ? paint.dim : paint[roleOf(progress)];
  return line.slice(0, at) + brush(line.slice(at, at + word.length)) + line.slice(at + word.length);
}

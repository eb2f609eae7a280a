import { keyOf, titleOf, type ObjectRef } from "../core/object/index.ts";
import type { Plan } from "../release/plan/index.ts";
import type { StepProgress, Progress } from "../release/index.ts";
import { plainPaint, paintRole, stateWord, type Paint } from "./step-progress-line.ts";

/** One object of a run: its latest progress, when it started and when it ended. */
export type ProgressRow = {
  readonly ref: ObjectRef;
  readonly progress?: StepProgress;
  readonly since?: number;
  readonly until?: number;
  /** How many of its steps have not ended. */
  readonly left: number;
};

/** The size of the screen and the time that ages count to. */
type ScreenFrame = { readonly now: number; readonly columns: number; readonly lines: number };

/** Collects the progress of a run into one row for each object, in the order of the plan. */
export class ProgressTable {
  readonly #rows = new Map<string, ProgressRow>();

  get rows(): readonly ProgressRow[] {
    return [...this.#rows.values()];
  }

  update(event: Progress, now: number): void {
    if (event.type === "planned") return this.#plan(event.plan);
    if (event.type === "done" || event.verb === "record") return;
    const { ref } = event;
    const row = this.#rows.get(keyOf(ref)) ?? { ref, left: 0 };
    const isOver = event.type === "finished" || event.type === "failed" || event.type === "skipped";
    const left = Math.max(0, row.left - (isOver ? 1 : 0));
    // A failure stays visible when the remaining steps of the object are skipped because of it.
    const progress = row.progress?.type === "failed" && event.type === "skipped" ? row.progress : event;
    const { until: _until, ...before } = row;
    this.#rows.set(keyOf(ref), { ...before, progress, since: row.since ?? now, left, ...(left === 0 && isOver ? { until: now } : {}) });
  }

  #plan({ steps }: Plan): void {
    for (const { action, onlyIf } of steps) {
      if (action.verb === "join" || action.verb === "record" || onlyIf !== undefined) continue;
      const { ref } = action;
      const row = this.#rows.get(keyOf(ref)) ?? { ref, left: 0 };
      this.#rows.set(keyOf(ref), { ...row, left: row.left + 1 });
    }
  }
}

/** Tells whether all steps of an object have succeeded. */
export function isDone({ progress, left }: ProgressRow): boolean {
  return left === 0 && progress?.type === "finished";
}

/** Draws a run: a line for each object that fits, those that need attention first, and a count. */
export function progressFrame(
  rows: readonly ProgressRow[],
  { now, columns, lines }: ScreenFrame,
  paint: Paint = plainPaint,
): readonly string[] {
  const shown = mostUrgent(rows, Math.max(1, lines - 2));
  const hidden = rows.length - shown.length;
  const cells = shown.map((row) => [titleIn(row.ref), wordOf(row), ageOf(row, now)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((cell) => cell[column]!.length), 0));
  const titleWidth = Math.min(widths[0]!, Math.max(12, Math.floor(columns / 2)));
  let room = Math.max(0, lines - 2 - shown.length);
  const drawn = shown.flatMap((row, index) => {
    const [title, word, age] = cells[index]!;
    const head = `${cut(title, titleWidth).padEnd(titleWidth)}  ${word.padEnd(widths[1]!)}  ${age.padStart(widths[2]!)}`;
    const line = cut(`${head}  ${reasonOf(row)}`.trimEnd(), columns);
    const fits = Math.min(room, maxLogLines);
    const logs = fits === 0 ? [] : lastLines(row).slice(-fits);
    room -= logs.length;
    return [painted(line, titleWidth + 2, word, row, paint), ...logs.map((text) => paint.dim(cut(`  │ ${text}`, columns)))];
  });
  const more = hidden === 0 ? [] : [paint.dim(cut(`… and ${hidden} more`, columns))];
  return [...drawn, ...more, paint.strong(cut(`${rows.filter(isDone).length} of ${rows.length} done`, columns))];
}

/** How many log lines of a failed object are shown below it. */
const maxLogLines = 5;

function lastLines({ progress }: ProgressRow): readonly string[] {
  return progress?.type === "failed" ? (progress.logs ?? []).flatMap(({ lines }) => lines) : [];
}

/** Selects the rows that need attention most, in the order of the run. */
function mostUrgent(rows: readonly ProgressRow[], most: number): readonly ProgressRow[] {
  if (rows.length <= most) return rows;
  const chosen = new Set(rows.toSorted((a, b) => urgency(b) - urgency(a)).slice(0, most));
  return rows.filter((row) => chosen.has(row));
}

function urgency(row: ProgressRow): number {
  if (row.progress === undefined) return 1;
  if (isDone(row)) return 0;
  return row.progress.type === "failed" ? 3 : 2;
}

function titleIn(ref: ObjectRef): string {
  return ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
}

function wordOf({ progress }: ProgressRow): string {
  return progress === undefined ? "pending" : stateWord(progress);
}

function reasonOf({ progress }: ProgressRow): string {
  return progress !== undefined && "because" in progress ? (progress.because ?? "") : "";
}

function ageOf({ since, until }: ProgressRow, now: number): string {
  if (since === undefined) return "";
  const seconds = Math.max(0, Math.floor(((until ?? now) - since) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes}m${seconds % 60}s` : `${hours}h${minutes % 60}m`;
}

/** Puts a text on one line and ends it with an ellipsis where it is cut. */
function cut(text: string, width: number): string {
  const line = text.replaceAll(/\s+/g, (blank) => (blank.includes("\n") ? " " : blank));
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}

/** Colours come after cutting and padding: escape codes take no columns. */
function painted(line: string, at: number, word: string, { progress }: ProgressRow, paint: Paint): string {
  const brush = progress === undefined ? paint.dim : paint[paintRole(progress)];
  return line.slice(0, at) + brush(line.slice(at, at + word.length)) + line.slice(at + word.length);
}

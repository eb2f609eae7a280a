import { keyOf, titleOf, type ObjectRef } from "../core/object/index.ts";
import type { Plan } from "../release/plan/index.ts";
import type { StepProgress, Progress } from "../release/index.ts";
import { plainPaint, paintRole, stateWord, type Paint } from "./step-progress-line.ts";
import { cutToWidth } from "./text-width.ts";

/** One object of a run: its latest progress, when it started and when it ended. */
export type ProgressRow = {
  readonly ref: ObjectRef;
  readonly progress?: StepProgress;
  /** Its first failure. A delete policy may have deleted the object since, so `progress` can be a later success. */
  readonly failure?: Extract<StepProgress, { type: "failed" }>;
  readonly since?: number;
  readonly until?: number;
  /** How many of its steps have not ended. */
  readonly left: number;
  /** Its logs were shown while it was waited for. */
  readonly logged?: true;
};

/** The size of the screen and the time that ages count to. */
type ScreenFrame = { readonly now: number; readonly columns: number; readonly lines: number };

/** Collects the progress of a run into one row for each object, in the order of the plan. */
export class ProgressTable {
  readonly #rows = new Map<string, ProgressRow>();

  get rows(): readonly ProgressRow[] {
    return [...this.#rows.values()];
  }

  find(ref: ObjectRef): ProgressRow | undefined {
    return this.#rows.get(keyOf(ref));
  }

  update(event: Progress, now: number): void {
    if (event.type === "planned") return this.#plan(event.plan);
    if (event.type === "done" || event.type === "event") return;
    const { ref } = event;
    const row = this.#rows.get(keyOf(ref)) ?? { ref, left: 0 };
    if (event.type === "log") return void this.#rows.set(keyOf(ref), { ...row, logged: true });
    if (event.verb === "record") return;
    const isOver = event.type === "finished" || event.type === "failed" || event.type === "skipped";
    const left = Math.max(0, row.left - (isOver ? 1 : 0));
    // A failure stays visible when the remaining steps of the object are skipped because of it.
    const progress = row.progress?.type === "failed" && event.type === "skipped" ? row.progress : event;
    const { until: _until, ...before } = row;
    const failure = event.type === "failed" && row.failure === undefined ? { failure: event } : {};
    this.#rows.set(keyOf(ref), {
      ...before,
      ...failure,
      progress,
      since: row.since ?? now,
      left,
      ...(left === 0 && isOver ? { until: now } : {}),
    });
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
export function isDone({ progress, failure, left }: ProgressRow): boolean {
  return left === 0 && failure === undefined && progress?.type === "finished";
}

/**
 * Draws a run in at most `lines` lines: a line for each object, and a count. When there are more objects than lines, those that
 * need attention stand on top and the rest is counted.
 */
export function progressFrame(
  rows: readonly ProgressRow[],
  { now, columns, lines }: ScreenFrame,
  paint: Paint = plainPaint,
): readonly string[] {
  const { shown, rest } = mostUrgent(rows, lines - 1);
  const cells = shown.map((row) => [titleIn(row.ref), wordOf(row), ageOf(row, now)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((cell) => cell[column]!.length), 0));
  const titleWidth = Math.min(widths[0]!, Math.max(12, Math.floor(columns / 2)));
  let room = Math.max(0, lines - 2 - shown.length);
  const drawn = shown.flatMap((row, index) => {
    const [title, word, age] = cells[index]!;
    const head = `${cutToWidth(title, titleWidth).padEnd(titleWidth)}  ${word.padEnd(widths[1]!)}  ${age.padStart(widths[2]!)}`;
    const line = cutToWidth(`${head}  ${reasonOf(row)}`.trimEnd(), columns);
    const fits = Math.min(room, maxLogLines);
    const logs = fits === 0 ? [] : lastLines(row).slice(-fits);
    room -= logs.length;
    return [painted(line, titleWidth + 2, word, row, paint), ...logs.map((text) => paint.dim(cutToWidth(`  │ ${text}`, columns)))];
  });
  const more = rest === undefined || lines < 2 ? [] : [paint.dim(cutToWidth(rest, columns))];
  return [...drawn, ...more, paint.strong(cutToWidth(countText(rows), columns))];
}

/** `12 of 60 done`. */
export function countText(rows: readonly ProgressRow[]): string {
  return `${rows.filter(isDone).length} of ${rows.length} done`;
}

/** How many log lines of a failed object are shown below it. */
const maxLogLines = 5;

function lastLines({ progress, logged }: ProgressRow): readonly string[] {
  return progress?.type === "failed" && logged === undefined ? (progress.logs ?? []).flatMap(({ lines }) => lines) : [];
}

/**
 * The rows that `most` lines have room for, and a line that counts the others. All rows keep the order of the run; a selection
 * has what needs attention on top.
 */
export function mostUrgent(rows: readonly ProgressRow[], most: number): { readonly shown: readonly ProgressRow[]; readonly rest?: string } {
  if (rows.length <= most) return { shown: rows };
  const ordered = rows.toSorted((a, b) => urgency(b) - urgency(a));
  const room = Math.max(0, most - 1);
  return { shown: ordered.slice(0, room), rest: restText(ordered.slice(room)) };
}

/** `… and 47 more: 17 pending, 30 ready`. */
function restText(rows: readonly ProgressRow[]): string {
  const counts = [...Map.groupBy(rows, wordOf)].map(([word, { length }]) => `${length} ${word}`);
  return `… and ${rows.length} more: ${counts.join(", ")}`;
}

function urgency(row: ProgressRow): number {
  if (row.progress === undefined) return 2;
  if (isDone(row)) return 0;
  const { type } = row.progress;
  return { failed: 5, waiting: 4, started: 3, finished: 3, skipped: 1 }[type];
}

/** `deployment/web in shop`. */
export function titleIn(ref: ObjectRef): string {
  return ref.namespace === "" ? titleOf(ref) : `${titleOf(ref)} in ${ref.namespace}`;
}

function wordOf({ progress }: ProgressRow): string {
  return progress === undefined ? "pending" : stateWord(progress);
}

/** Why an object is in its state; empty when nothing was said. */
export function reasonOf({ progress }: ProgressRow): string {
  return progress !== undefined && "because" in progress ? (progress.because ?? "") : "";
}

/** How long an object has been worked on; empty before that. */
export function ageOf({ since, until }: ProgressRow, now: number): string {
  if (since === undefined) return "";
  const seconds = Math.max(0, Math.floor(((until ?? now) - since) / 1000));
  if (seconds < 60) return `${seconds}s`;
  const [minutes, hours] = [Math.floor(seconds / 60), Math.floor(seconds / 3600)];
  return hours === 0 ? `${minutes}m${seconds % 60}s` : `${hours}h${minutes % 60}m`;
}

/** Colours come after cutting and padding: escape codes take no columns. */
function painted(line: string, at: number, word: string, { progress }: ProgressRow, paint: Paint): string {
  const brush = progress === undefined ? paint.dim : paint[paintRole(progress)];
  return line.slice(0, at) + brush(line.slice(at, at + word.length)) + line.slice(at + word.length);
}

import { titleOf } from "../core/object/index.ts";
import type { Plan } from "../release/plan/index.ts";
import type { RunProgress } from "../release/index.ts";
import { plainPaint, type Paint } from "./step-progress-line.ts";
import { isDone, type ProgressRow } from "./progress-table.ts";
import { plainLine } from "./text-width.ts";

type Done = Extract<RunProgress, { type: "done" }>;

/** The summary of a successful run: its result, and which objects were kept although they left the release. */
export function successSummary({ status }: Done, plan: Plan, paint: Paint = plainPaint): readonly string[] {
  const { release, kept } = plan;
  if (release === undefined && status !== "unchanged") return keptLines(kept);
  const what = release === undefined ? "nothing to change" : `${release.name} in ${release.namespace}`;
  const revision = release === undefined || status === "deleted" ? "" : `, revision ${release.revision}`;
  return [`${paint.good(status)}: ${what}${revision}`, ...keptLines(kept)];
}

/**
 * The summary of a failed run: why, what failed with its latest events and logs, what waits, and what was not started. Of one
 * that was undone, what failed.
 */
export function failureSummary(
  why: string,
  rows: readonly ProgressRow[],
  paint: Paint = plainPaint,
  end: "failed" | "undone" | "interrupted" = "failed",
): readonly string[] {
  // A scheduler's message is a sentence of its own.
  const reason = why.replace(/\.$/, "");
  const untouched = rows.filter(
    ({ progress, failure }) => failure === undefined && (progress === undefined || progress.type === "skipped"),
  );
  if (end !== "undone" && untouched.length + rows.filter(isUnchanged).length === rows.length)
    return [`${paint.bad("error")}: ${reason}; nothing was touched`];
  const failed = rows.flatMap((row) => (row.failure === undefined ? [] : [{ ...row, progress: row.failure }]));
  if (end === "undone") return [`${paint.bad("error")}: ${reason}.`, ...failedSection(failed, why)];
  const unfinished = rows.filter((row) => !isDone(row) && !untouched.includes(row) && row.failure === undefined);
  return [
    `${paint.bad("error")}: ${reason}; what was done stays${end === "interrupted" ? ", and the same command carries it on" : ""}.`,
    ...failedSection(failed, why),
    ...section("Not finished:", unfinished, (row) => [reasonOf(row)]),
    ...section("Not begun:", untouched, () => [""]),
  ];
}

/** A reason that the first line has told is not told again, nor is an object of which nothing else is known. */
function failedSection(failed: readonly ProgressRow[], why: string): readonly string[] {
  const isTold = (row: ProgressRow) => `${why};`.startsWith(`${titleOf(row.ref)}${reasonOf(row)};`);
  const [only] = failed;
  if (failed.length === 1 && only !== undefined && isTold(only) && diagnosticLines(only).length === 0) return [];
  return section("Failed:", failed, (row) => [isTold(row) ? "" : reasonOf(row), ...diagnosticLines(row)]);
}

/** Nothing had to be done for the object. */
function isUnchanged({ progress }: ProgressRow): boolean {
  return progress?.type === "finished" && progress.because === "unchanged";
}

function keptLines(kept: Plan["kept"]): readonly string[] {
  return kept.length === 0 ? [] : ["Stays:", ...kept.map(({ ref, because }) => `  ${titleOf(ref)}: ${because}`)];
}

function section(head: string, rows: readonly ProgressRow[], reasonLines: (row: ProgressRow) => readonly string[]): readonly string[] {
  if (rows.length === 0) return [];
  const lines = rows.flatMap((row) => {
    const [reason = "", ...more] = reasonLines(row);
    return [`  ${titleOf(row.ref)}${reason}`, ...more.map((line) => `    ${line}`)];
  });
  return [head, ...lines];
}

function reasonOf({ progress }: ProgressRow): string {
  if (progress?.type === "started") return `: was being ${progress.verb === "delete" ? "deleted" : "applied"}`;
  return progress !== undefined && "because" in progress && progress.because !== undefined
    ? `: ${progress.because}`
    : ": not looked at yet";
}

/** How many lines are repeated of a log that was shown while it was written. */
const repeatedLines = 5;

/** The latest events about a failed object and the last lines of its logs. */
function diagnosticLines({ progress, logged }: ProgressRow): readonly string[] {
  if (progress?.type !== "failed") return [];
  const { events = [], normalEvents = [], logs = [] } = progress;
  return [
    ...normalEvents.map((event) => `event: ${event}`),
    ...events.map((event) => `warning: ${event}`),
    ...logs.flatMap(({ pod, container, lines }) => [
      `last lines of ${pod}, container ${container}:`,
      ...lines.slice(logged === undefined ? 0 : -repeatedLines).map((line) => `  ${plainLine(line)}`),
    ]),
  ];
}

import type { EventProgress, LogProgress, StepProgress } from "../release/index.ts";
import { containerLogLine } from "./container-log-line.ts";
import { eventLine } from "./event-line.ts";
import { ageOf, countText, reasonOf, titleIn, type ProgressRow } from "./progress-table.ts";
import { plainPaint, stepProgressLine, type Paint } from "./step-progress-line.ts";
import { plainLine } from "./text-width.ts";
import { ageText } from "../core/object/index.ts";

/** When a line of a log is written, and when the run started. */
export type LogTime = { readonly now: number; readonly startedAt: number };

/** The progress of a run as a line of a log: `20:31:05Z   12s  ready    deployment/web in shop: created`. */
export function logLine(progress: StepProgress | LogProgress | EventProgress, time: LogTime, paint: Paint = plainPaint): string {
  if (progress.type === "log") return `${prefix(time, paint)}${containerLogLine(progress, paint)}`;
  if (progress.type === "event") return `${prefix(time, paint)}${eventLine(progress, paint)}`;
  // A reason of several lines could pass one of them off as a command to the CI system.
  const one = "because" in progress && progress.because !== undefined ? { ...progress, because: plainLine(progress.because) } : progress;
  return `${prefix(time, paint)}${stepProgressLine(one, paint)}`;
}

/** How many objects a heartbeat names. */
const maxNamed = 3;

/** What a run waits for while nothing happens, in one line. */
export function heartbeatLine(rows: readonly ProgressRow[], time: LogTime, paint: Paint = plainPaint): string {
  const busy = rows.filter(({ progress, left }) => progress !== undefined && left > 0 && progress.type !== "failed");
  const named = busy.slice(0, maxNamed).map((row) => {
    const reason = plainLine(reasonOf(row));
    return `${titleIn(row.ref)} for ${ageOf(row, time.now)}${reason === "" ? "" : `: ${reason}`}`;
  });
  const more = busy.length > maxNamed ? [`and ${busy.length - maxNamed} more`] : [];
  const count = rows.length === 0 ? "nothing is planned yet" : countText(rows);
  return `${prefix(time, paint)}${paint.dim("still".padEnd(8))} ${[count, ...named, ...more].join("; ")}`;
}

function prefix({ now, startedAt }: LogTime, paint: Paint): string {
  return paint.dim(`${new Date(now).toISOString().slice(11, 19)}Z ${ageText(now - startedAt).padStart(5)}  `);
}

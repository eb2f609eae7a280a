import type { Clock } from "../core/clock/index.ts";
import { containerLogLine, eventLine, isShownRecord, mostUrgent, progressFrame, ProgressTable, stepProgressLine } from "../view/index.ts";
import { Canvas } from "./canvas.ts";
import type { ProgressReporter } from "./progress-reporter.ts";
import type { Screen, Terminal } from "./terminal.ts";

const redrawMs = 1000;
/** Between two pictures the process has to get to know that its terminal has another size. */
const pauseMs = 50;
/** The rows that stay free below the last lines, for the summary and the prompt. */
const summaryLines = 3;

/** How many lines of logs are printed with one picture. */
const maxLogLines = 500;

/** Reports a run as a table that is redrawn in place and keeps to the rows there are. It ends as lines. */
export function liveReporter(clock: Clock, terminal: Terminal, screen: Screen): ProgressReporter {
  const canvas = new Canvas(screen);
  const live = new ProgressTable();
  const { paint } = terminal;
  const draw = () => {
    cancel();
    cancel = clock.after(redrawMs, draw, { background: true });
    drawnAt = clock.now();
    printLogs();
    canvas.draw(progressFrame(live.rows, { now: drawnAt, columns: screen.size().columns, lines: canvas.room }, paint));
  };
  const drawSoon = (background = true) => {
    const leftMs = drawnAt + pauseMs - clock.now();
    if (leftMs <= 0) return draw();
    cancel();
    cancel = clock.after(leftMs, draw, { background });
  };
  const printLogs = () => {
    const lines = logLines.splice(0);
    if (lines.length > 0) canvas.above(() => terminal.out(lines.join("\n")));
    printed.resolve();
  };
  const logLines: string[] = [];
  let printed = Promise.withResolvers<void>();
  let drawnAt = -Infinity;
  // The ages change even while nothing happens.
  let cancel = clock.after(redrawMs, draw, { background: true });
  const cancelResize = screen.onResize(draw);
  return {
    report(event) {
      live.update(event, clock.now());
      // Records have no row in the table, so what delays or fails them is printed above it.
      if (isShownRecord(event)) canvas.above(() => terminal.err(stepProgressLine(event, paint)));
      if (event.type === "log") logLines.push(containerLogLine(event, paint));
      if (event.type === "event") logLines.push(eventLine(event, paint));
      const isFull = logLines.length >= maxLogLines;
      if (isFull) printed = Promise.withResolvers();
      drawSoon(!isFull);
      return isFull ? printed.promise : undefined;
    },
    printLine: (line) => canvas.above(() => terminal.err(line)),
    end() {
      cancel();
      cancelResize();
      printLogs();
      canvas.clear();
      const begun = live.rows.filter(({ progress }) => progress !== undefined);
      const { shown, rest } = mostUrgent(begun, canvas.room - summaryLines);
      for (const { progress } of shown) if (progress !== undefined) terminal.out(stepProgressLine(progress, paint));
      if (rest !== undefined) terminal.out(paint.dim(rest));
    },
    rows: () => live.rows,
  };
}

import type { Clock } from "../core/clock/index.ts";
import { keyOf } from "../core/object/index.ts";
import type { Progress } from "../release/index.ts";
import { progressJson, progressFrame, stepProgressLine, ProgressTable, type ProgressRow, type RunLabels } from "../view/index.ts";
import { Canvas } from "./canvas.ts";
import type { Screen, Terminal } from "./terminal.ts";

/** Reports the progress of a run to the user. */
export type ProgressReporter = {
  readonly report: (event: Progress) => void;
  /** Prints a line that is not about a step, such as a warning. */
  readonly printLine: (line: string) => void;
  readonly end: () => void;
  /** The latest progress of every object. */
  readonly rows: () => readonly ProgressRow[];
};

type ProgressReporterOptions = { readonly output: "text" | "ndjson"; readonly clock: Clock; readonly cluster: string };

/** Reports as JSON lines with `-o ndjson`, as a live table on a terminal, and as plain lines otherwise. */
export function progressReporter(options: ProgressReporterOptions, terminal: Terminal): ProgressReporter {
  if (options.output === "ndjson") return ndjsonReporter(options, terminal);
  return terminal.screen === undefined ? lineReporter(options, terminal) : liveReporter(options, terminal, terminal.screen);
}

function ndjsonReporter({ clock, cluster }: ProgressReporterOptions, terminal: Terminal): ProgressReporter {
  const live = new ProgressTable();
  let occasion: RunLabels = { cluster };
  return {
    report(event) {
      const now = clock.now();
      live.update(event, now);
      if (event.type === "planned" && event.plan.release !== undefined) occasion = { cluster, release: event.plan.release };
      terminal.out(progressJson(event, now, occasion));
    },
    printLine: terminal.err,
    end: () => {},
    rows: () => live.rows,
  };
}

function lineReporter({ clock }: ProgressReporterOptions, terminal: Terminal): ProgressReporter {
  const live = new ProgressTable();
  const skipped = new Set<string>();
  /** Of an object whose steps are all skipped only the first is printed. */
  const isRepeated = (event: StepEvent) => event.type === "skipped" && skipped.size === skipped.add(keyOf(event.ref)).size;
  return {
    report(event) {
      live.update(event, clock.now());
      if (isShownAsLine(event) && !isRepeated(event)) terminal.out(stepProgressLine(event, terminal.paint));
    },
    printLine: terminal.err,
    end: () => {},
    rows: () => live.rows,
  };
}

type StepEvent = Exclude<Progress, { type: "planned" } | { type: "done" }>;

/** Leaves out when a wait starts, and records that succeed. */
function isShownAsLine(event: Progress): event is StepEvent {
  if (event.type === "planned" || event.type === "done") return false;
  if (event.verb === "record") return event.type === "failed" || event.type === "waiting";
  return event.type !== "started" || event.verb !== "await";
}

const redrawMs = 1000;

function liveReporter({ clock }: ProgressReporterOptions, terminal: Terminal, screen: Screen): ProgressReporter {
  const canvas = new Canvas(screen);
  const live = new ProgressTable();
  const draw = () => {
    const { columns, lines } = screen.size();
    canvas.draw(progressFrame(live.rows, { now: clock.now(), columns, lines }, terminal.paint));
  };
  // The ages change even while nothing happens.
  const again = () => {
    draw();
    cancel = clock.after(redrawMs, again, { background: true });
  };
  let cancel = clock.after(redrawMs, again, { background: true });
  return {
    report(event) {
      live.update(event, clock.now());
      // Records have no row in the table, so what delays or fails them is printed above it.
      if (isShownAsLine(event) && event.verb === "record") canvas.above(() => terminal.err(stepProgressLine(event, terminal.paint)));
      draw();
    },
    printLine: (line) => canvas.above(() => terminal.err(line)),
    end() {
      cancel();
      canvas.clear();
      for (const { progress } of live.rows) if (progress !== undefined) terminal.out(stepProgressLine(progress, terminal.paint));
    },
    rows: () => live.rows,
  };
}

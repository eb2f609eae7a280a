import type { Clock } from "../core/clock/index.ts";
import type { Progress } from "../release/index.ts";
import { progressJson, ProgressTable, type ProgressRow, type RunLabels } from "../view/index.ts";
import { liveReporter } from "./live-reporter.ts";
import { logReporter } from "./log-reporter.ts";
import type { Terminal } from "./terminal.ts";

/** Reports the progress of a run to the user. */
export type ProgressReporter = {
  /** Resolves when there is room for more output; undefined when there is. */
  readonly report: (event: Progress) => Promise<void> | undefined;
  /** Prints a line that is not about a step, such as a warning. */
  readonly printLine: (line: string) => void;
  readonly end: () => void;
  /** The latest progress of every object. */
  readonly rows: () => readonly ProgressRow[];
};

type ProgressReporterOptions = { readonly output: "text" | "ndjson"; readonly clock: Clock; readonly cluster: string };

/** Reports as JSON lines with `-o ndjson`, as a live table on a terminal, and as a log otherwise. */
export function progressReporter(options: ProgressReporterOptions, terminal: Terminal): ProgressReporter {
  if (options.output === "ndjson") return ndjsonReporter(options, terminal);
  return terminal.screen === undefined ? logReporter(options.clock, terminal) : liveReporter(options.clock, terminal, terminal.screen);
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
      return terminal.drained?.();
    },
    printLine: terminal.err,
    end: () => {},
    rows: () => live.rows,
  };
}

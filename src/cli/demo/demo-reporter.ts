import type { Clock } from "../../core/clock/index.ts";
import { plainPaint } from "../../view/index.ts";
import { Canvas } from "../canvas.ts";
import type { Screen, Terminal } from "../terminal.ts";
import type { DemoEvent } from "./demo-event.ts";
import { demoEventLine } from "./demo-event-line.ts";
import type { PendingWorkload } from "./pending-workloads.ts";

/** Prints events with the time since the start. */
export type DemoReporter = { readonly report: (event: DemoEvent) => void; readonly end: () => void };

/** Prints a line for each event. On a terminal it also shows, below them, what is waited for. */
export function demoReporter(clock: Clock, begun: () => readonly PendingWorkload[], terminal: Terminal): DemoReporter {
  const startedAt = clock.now();
  const line = (event: DemoEvent) => demoEventLine(clock.now() - startedAt, event, terminal.paint);
  const lines = lineReporter(line, terminal);
  const { screen } = terminal;
  if (screen === undefined) return lines;
  const waiting = () => begun().map((pending) => demoEventLine(clock.now() - startedAt, { type: "waiting", ...pending }, plainPaint));
  // A line wider than the screen would wrap, and the redraw would miss its second half.
  const pendingLines = () => waiting().map((text) => terminal.paint.dim(text.slice(0, screen.size().columns)));
  return liveReporter(lines, pendingLines, screen, clock);
}

type Line = (event: DemoEvent) => string;

/** Waiting is shown in the live part only. */
function lineReporter(line: Line, { out }: Terminal): DemoReporter {
  return {
    report(event) {
      if (event.type !== "waiting") out(line(event));
    },
    end: () => {},
  };
}

const redrawMs = 100;

function liveReporter(lines: DemoReporter, pendingLines: () => readonly string[], screen: Screen, clock: Clock): DemoReporter {
  const canvas = new Canvas(screen);
  // The elapsed time changes even while nothing happens.
  const again = () => {
    canvas.draw(pendingLines());
    cancel = clock.after(redrawMs, again, { background: true });
  };
  let cancel = clock.after(redrawMs, again, { background: true });
  return {
    report(event) {
      canvas.clear();
      lines.report(event);
      canvas.draw(pendingLines());
    },
    end() {
      cancel();
      canvas.clear();
    },
  };
}

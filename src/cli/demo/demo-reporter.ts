import type { Clock } from "../../core/clock/index.ts";
import { plainPaint } from "../../view/index.ts";
import { Canvas } from "../canvas.ts";
import type { Screen, Terminal } from "../terminal.ts";
import type { DemoEvent } from "./demo-event.ts";
import { demoEventLine } from "./demo-event-line.ts";
import type { PendingWorkload } from "./pending-workloads.ts";

/** Tells of happenings, with the time since the start. */
export type DemoReporter = { readonly report: (event: DemoEvent) => void; readonly end: () => void };

/** A line for each piece of news; and for whoever looks on, what is waited for below them. */
export function demoReporter(clock: Clock, begun: () => readonly PendingWorkload[], terminal: Terminal): DemoReporter {
  const startedAt = clock.now();
  const line = (event: DemoEvent) => demoEventLine(clock.now() - startedAt, event, terminal.paint);
  const lines = lineReporter(line, terminal);
  const { screen } = terminal;
  if (screen === undefined) return lines;
  const waiting = () => begun().map((pending) => demoEventLine(clock.now() - startedAt, { type: "waiting", ...pending }, plainPaint));
  // A line that is longer than the screen is wide would be two.
  const picture = () => waiting().map((text) => terminal.paint.dim(text.slice(0, screen.size().columns)));
  return liveReporter(lines, picture, screen, clock);
}

type Line = (event: DemoEvent) => string;

/** That something waits is no news by itself. */
function lineReporter(line: Line, { out }: Terminal): DemoReporter {
  return {
    report(event) {
      if (event.type !== "waiting") out(line(event));
    },
    end: () => {},
  };
}

const redrawMs = 100;

function liveReporter(lines: DemoReporter, picture: () => readonly string[], screen: Screen, clock: Clock): DemoReporter {
  const canvas = new Canvas(screen);
  // The time goes on even while nothing happens.
  const again = () => {
    canvas.draw(picture());
    cancel = clock.after(redrawMs, again, { background: true });
  };
  let cancel = clock.after(redrawMs, again, { background: true });
  return {
    report(event) {
      canvas.clear();
      lines.report(event);
      canvas.draw(picture());
    },
    end() {
      cancel();
      canvas.clear();
    },
  };
}

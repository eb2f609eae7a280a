import type { Clock } from "../../clock/index.ts";
import { Canvas } from "../canvas.ts";
import type { Screen, Terminal } from "../terminal.ts";
import type { Happening } from "./happening.ts";
import { happeningLine } from "./line.ts";
import type { Pending } from "./outlook.ts";

/** Tells of happenings, with the time since the start. */
export type StoryTeller = { readonly tell: (happening: Happening) => void; readonly end: () => void };

/** A line for each piece of news; and for whoever looks on, what is waited for below them. */
export function storyTeller(clock: Clock, begun: () => readonly Pending[], terminal: Terminal): StoryTeller {
  const startedAt = clock.now();
  const line = (happening: Happening) => happeningLine(clock.now() - startedAt, happening, terminal.paint);
  const waiting = () => begun().map((pending) => line({ type: "waiting", ...pending }));
  const { screen } = terminal;
  return screen === undefined ? asLines(line, terminal) : pictured(line, waiting, { clock, terminal, screen });
}

type Line = (happening: Happening) => string;

/** That something waits is no news by itself. */
function asLines(line: Line, { out }: Terminal): StoryTeller {
  return {
    tell(happening) {
      if (happening.type !== "waiting") out(line(happening));
    },
    end: () => {},
  };
}

const everyMs = 100;

type Place = { readonly clock: Clock; readonly terminal: Terminal; readonly screen: Screen };

function pictured(line: Line, waiting: () => readonly string[], { clock, terminal, screen }: Place): StoryTeller {
  const canvas = new Canvas(screen);
  const lines = asLines(line, terminal);
  // The time goes on even while nothing happens.
  const again = () => {
    canvas.draw(waiting());
    cancel = clock.after(everyMs, again, { background: true });
  };
  let cancel = clock.after(everyMs, again, { background: true });
  return {
    tell(happening) {
      canvas.clear();
      lines.tell(happening);
      canvas.draw(waiting());
    },
    end() {
      cancel();
      canvas.clear();
    },
  };
}

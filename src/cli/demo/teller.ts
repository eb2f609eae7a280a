import type { Clock } from "../../core/clock/index.ts";
import { plain } from "../../view/index.ts";
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
  const lines = asLines(line, terminal);
  const { screen } = terminal;
  if (screen === undefined) return lines;
  const waiting = () => begun().map((pending) => happeningLine(clock.now() - startedAt, { type: "waiting", ...pending }, plain));
  // A line that is longer than the screen is wide would be two.
  const picture = () => waiting().map((text) => terminal.paint.dim(text.slice(0, screen.size().columns)));
  return pictured(lines, picture, screen, clock);
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

function pictured(lines: StoryTeller, picture: () => readonly string[], screen: Screen, clock: Clock): StoryTeller {
  const canvas = new Canvas(screen);
  // The time goes on even while nothing happens.
  const again = () => {
    canvas.draw(picture());
    cancel = clock.after(everyMs, again, { background: true });
  };
  let cancel = clock.after(everyMs, again, { background: true });
  return {
    tell(happening) {
      canvas.clear();
      lines.tell(happening);
      canvas.draw(picture());
    },
    end() {
      cancel();
      canvas.clear();
    },
  };
}

import type { Clock } from "../clock/index.ts";
import type { ObjectRef } from "../object/index.ts";
import type { Progress } from "../release/index.ts";
import { frameOf, lineFor, liveAfter, liveOf, type Live } from "../view/index.ts";
import { Canvas } from "./canvas.ts";
import type { Screen, Terminal } from "./terminal.ts";

/** Tells somebody of a run as it goes. */
export type Teller = {
  readonly tell: (progress: Progress) => void;
  /** Something beside the run itself: a warning. */
  readonly aside: (line: string) => void;
  readonly end: () => void;
  /** How the run stands. */
  readonly live: () => Live;
};

export type Telling = { readonly output: "text" | "ndjson"; readonly clock: Clock; readonly cluster: string };

/** A picture that is kept up to date for whoever looks on; else a line for each piece of news, or a JSON document. */
export function tellerOf(refs: readonly ObjectRef[], { output, clock, cluster }: Telling, terminal: Terminal): Teller {
  if (output === "text" && terminal.screen !== undefined) return pictured(refs, clock, terminal, terminal.screen);
  let live = liveOf(refs);
  const textOf = (progress: Progress, now: number) =>
    output === "ndjson" ? JSON.stringify({ at: new Date(now).toISOString(), ...progress, cluster }) : lineFor(progress, terminal.paint);
  return {
    tell(progress) {
      const now = clock.now();
      live = liveAfter(live, progress, now);
      // That something is looked at goes without saying to a person.
      const silent = output === "text" && progress.type === "started" && progress.verb === "await";
      if (!silent) terminal.out(textOf(progress, now));
    },
    aside: terminal.err,
    end: () => {},
    live: () => live,
  };
}

const everyMs = 1000;

function pictured(refs: readonly ObjectRef[], clock: Clock, terminal: Terminal, screen: Screen): Teller {
  const canvas = new Canvas(screen);
  let live = liveOf(refs);
  const draw = () => {
    const { columns, lines } = screen.size();
    canvas.draw(frameOf(live, { now: clock.now(), columns, lines }, terminal.paint));
  };
  // The ages go on even while nothing happens.
  const again = () => {
    draw();
    cancel = clock.after(everyMs, again, { background: true });
  };
  let cancel = clock.after(0, again, { background: true });
  return {
    tell(progress) {
      live = liveAfter(live, progress, clock.now());
      draw();
    },
    aside: (line) => canvas.above(() => terminal.err(line)),
    end() {
      cancel();
      canvas.clear();
      for (const { progress } of live.values()) if (progress !== undefined) terminal.out(lineFor(progress, terminal.paint));
    },
    live: () => live,
  };
}

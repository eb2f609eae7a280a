import type { Clock } from "../core/clock/index.ts";
import { keyOf } from "../core/object/index.ts";
import type { Story } from "../release/index.ts";
import { eventJson, frameOf, lineFor, Live, type LiveRow, type Occasion } from "../view/index.ts";
import { Canvas } from "./canvas.ts";
import type { Screen, Terminal } from "./terminal.ts";

/** Tells somebody of a run as it goes. */
export type Teller = {
  readonly tell: (event: Story) => void;
  /** Something beside the run itself: a warning. */
  readonly aside: (line: string) => void;
  readonly end: () => void;
  /** How the run stands. */
  readonly rows: () => readonly LiveRow[];
};

export type Telling = { readonly output: "text" | "ndjson"; readonly clock: Clock; readonly cluster: string };

/** A picture that is kept up to date for whoever looks on; else a line for each piece of news, or a JSON document. */
export function tellerOf(telling: Telling, terminal: Terminal): Teller {
  if (telling.output === "ndjson") return asData(telling, terminal);
  return terminal.screen === undefined ? asLines(telling, terminal) : pictured(telling, terminal, terminal.screen);
}

function asData({ clock, cluster }: Telling, terminal: Terminal): Teller {
  const live = new Live();
  let occasion: Occasion = { cluster };
  return {
    tell(event) {
      const now = clock.now();
      live.take(event, now);
      if (event.type === "planned" && event.plan.release !== undefined) occasion = { cluster, release: event.plan.release };
      terminal.out(eventJson(event, now, occasion));
    },
    aside: terminal.err,
    end: () => {},
    rows: () => live.rows,
  };
}

function asLines({ clock }: Telling, terminal: Terminal): Teller {
  const live = new Live();
  const skipped = new Set<string>();
  /** An object whose every step is skipped is told of once. */
  const isRepeated = (event: News) => event.type === "skipped" && skipped.size === skipped.add(keyOf(event.ref)).size;
  return {
    tell(event) {
      live.take(event, clock.now());
      if (isWorthALine(event) && !isRepeated(event)) terminal.out(lineFor(event, terminal.paint));
    },
    aside: terminal.err,
    end: () => {},
    rows: () => live.rows,
  };
}

type News = Exclude<Story, { type: "planned" } | { type: "done" }>;

/** That something is looked at, or written down, goes without saying to a person. */
function isWorthALine(event: Story): event is News {
  if (event.type === "planned" || event.type === "done") return false;
  if (event.verb === "record") return event.type === "failed" || event.type === "waiting";
  return event.type !== "started" || event.verb !== "await";
}

const everyMs = 1000;

function pictured({ clock }: Telling, terminal: Terminal, screen: Screen): Teller {
  const canvas = new Canvas(screen);
  const live = new Live();
  const draw = () => {
    const { columns, lines } = screen.size();
    canvas.draw(frameOf(live.rows, { now: clock.now(), columns, lines }, terminal.paint));
  };
  // The ages go on even while nothing happens.
  const again = () => {
    draw();
    cancel = clock.after(everyMs, again, { background: true });
  };
  let cancel = clock.after(everyMs, again, { background: true });
  return {
    tell(event) {
      live.take(event, clock.now());
      // A record has no line in the picture; what holds it up is told beside it.
      if (isWorthALine(event) && event.verb === "record") canvas.above(() => terminal.err(lineFor(event, terminal.paint)));
      draw();
    },
    aside: (line) => canvas.above(() => terminal.err(line)),
    end() {
      cancel();
      canvas.clear();
      for (const { progress } of live.rows) if (progress !== undefined) terminal.out(lineFor(progress, terminal.paint));
    },
    rows: () => live.rows,
  };
}

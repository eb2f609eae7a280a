import { RealClock, type Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { thisMachine } from "../../kube/index.ts";
import { titleOf, type KubeObject } from "../../core/object/index.ts";
import { readExample } from "../demo/example.ts";
import { DemoFleet } from "../demo/fleet.ts";
import { Outlook, workloadsWithin } from "../demo/outlook.ts";
import { story } from "../demo/story.ts";
import { storyTeller, type StoryTeller } from "../demo/teller.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { tellAddons } from "./show-fleet.ts";

export type DemoOptions = {
  /** Default: the machine's own time. */
  readonly clock?: Clock;
  /** How pods turn out. Default: well, within a second or two. */
  readonly behaviour?: readonly object[];
};

const example = "addons/postgresql-order";
const names = ["east", "west"];
/** What the example's selectors ask for. */
const labels = { env: "fv" };
const quick = [{ pull: { uniform: ["600ms", "1200ms"] }, run: { uniform: ["800ms", "1400ms"] } }];
const mostMs = 120_000;

/** Starts a fleet of embedded clusters, applies an example to it, and tells what happens until all of it is healthy. */
export async function demo(terminal: Terminal, signal: AbortSignal, options: DemoOptions = {}): Promise<number> {
  const { clock = new RealClock(), behaviour = quick } = options;
  const { out, paint } = terminal;
  const startedAt = clock.now();
  const manifests = await readExample(example, signal);
  const outlook = new Outlook(names, workloadsWithin(manifests));
  out(paint.strong(`Three clusters in this process: a management cluster, and ${names.join(" and ")}, which it manages.`));
  const teller = storyTeller(clock, () => outlook.begun, terminal);
  const fleet = new DemoFleet({ clock, random: thisMachine().random, names, labels, behaviour });
  try {
    await inTime(clock, outlook, signal, (limited) => play({ fleet, manifests, outlook, teller, terminal }, limited));
    const seconds = ((clock.now() - startedAt) / 1000).toFixed(1);
    out(`${paint.good("Everything is healthy")} after ${seconds} s. How it was done: docs/demo.md`);
    return exitCodes.ok;
  } finally {
    teller.end();
    fleet.stop();
  }
}

type Scene = {
  readonly fleet: DemoFleet;
  readonly manifests: readonly KubeObject[];
  readonly outlook: Outlook;
  readonly teller: StoryTeller;
  readonly terminal: Terminal;
};

async function play({ fleet, manifests, outlook, teller, terminal }: Scene, signal: AbortSignal): Promise<void> {
  const { out, paint } = terminal;
  await fleet.furnish(signal);
  await fleet.controlled(signal, async (controlled) => {
    for (const object of manifests) await fleet.hub.apply(object, { force: true, signal: controlled });
    out(`examples/${example} is applied to the management cluster. What comes of it:\n`);
    for await (const happening of story(fleet, controlled)) {
      outlook.take(happening);
      teller.tell(happening);
      if (outlook.pending.length === 0) break;
    }
    controlled.throwIfAborted();
    teller.end();
    out(`\n${paint.strong("What is deployed now, as sluice show addons tells it:")}`);
    await tellAddons(fleet.hub, { helmCharts: false, resources: false, output: "table" }, terminal, controlled);
  });
}

/** Whatever is still to come when the time is over is named. */
async function inTime(clock: Clock, outlook: Outlook, signal: AbortSignal, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const late = new AbortController();
  const cancel = clock.after(mostMs, () => late.abort(latenessOf(outlook)));
  try {
    await work(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}

function latenessOf({ pending }: Outlook): Fault {
  const left = pending.map(({ cluster, ref, because }) => `  ${cluster}  ${titleOf(ref)}: ${because}`);
  return new Fault(`not everything is healthy after ${mostMs / 60_000} minutes:\n${left.join("\n")}`, undefined, { final: true });
}

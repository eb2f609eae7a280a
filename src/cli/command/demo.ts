import { RealClock, type Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { thisMachine } from "../../kube/index.ts";
import { titleOf, type KubeObject } from "../../core/object/index.ts";
import { readExample } from "../demo/read-example.ts";
import { DemoFleet } from "../demo/demo-fleet.ts";
import { PendingWorkloads, workloadsInConfigMaps } from "../demo/pending-workloads.ts";
import { watchFleetEvents } from "../demo/watch-fleet-events.ts";
import { demoReporter, type DemoReporter } from "../demo/demo-reporter.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";
import { printAddons } from "./show-fleet.ts";

export type DemoOptions = {
  /** Default: the machine's clock. */
  readonly clock?: Clock;
  /** How pods behave. Default: they become ready within two seconds. */
  readonly behaviour?: readonly object[];
};

const example = "addons/postgresql-order";
const names = ["east", "west"];
/** The labels that the example's selectors match. */
const labels = { env: "fv" };
const quick = [{ pull: { uniform: ["600ms", "1200ms"] }, run: { uniform: ["800ms", "1400ms"] } }];
const demoTimeoutMs = 120_000;

/** Starts a fleet of embedded clusters, applies an example to it, and reports what happens until everything is healthy. */
export async function demo(terminal: Terminal, signal: AbortSignal, options: DemoOptions = {}): Promise<number> {
  const { clock = new RealClock(), behaviour = quick } = options;
  const { out, paint } = terminal;
  const startedAt = clock.now();
  const manifests = readExample(example);
  const pendingWorkloads = new PendingWorkloads(names, workloadsInConfigMaps(manifests));
  out(paint.strong(`Three clusters in this process: a management cluster, and ${names.join(" and ")}, which it manages.`));
  const reporter = demoReporter(clock, () => pendingWorkloads.deployed, terminal);
  const fleet = new DemoFleet({ clock, random: thisMachine().random, names, labels, behaviour });
  try {
    await withTimeout(clock, pendingWorkloads, signal, (limited) =>
      runDemo({ fleet, manifests, pendingWorkloads, reporter, terminal }, limited),
    );
    const seconds = ((clock.now() - startedAt) / 1000).toFixed(1);
    out(`${paint.good("Everything is healthy")} after ${seconds} s. How it was done: docs/demo.md`);
    return exitCodes.ok;
  } finally {
    reporter.end();
    fleet.stop();
  }
}

type DemoRun = {
  readonly fleet: DemoFleet;
  readonly manifests: readonly KubeObject[];
  readonly pendingWorkloads: PendingWorkloads;
  readonly reporter: DemoReporter;
  readonly terminal: Terminal;
};

async function runDemo({ fleet, manifests, pendingWorkloads, reporter, terminal }: DemoRun, signal: AbortSignal): Promise<void> {
  const { out, paint } = terminal;
  await fleet.prepare(signal);
  await fleet.withController(signal, async (controlled) => {
    for (const object of manifests) await fleet.hub.apply(object, { force: true, signal: controlled });
    out(`examples/${example} is applied to the management cluster. What comes of it:\n`);
    for await (const event of watchFleetEvents(fleet, controlled)) {
      pendingWorkloads.observe(event);
      reporter.report(event);
      if (pendingWorkloads.pending.length === 0) break;
    }
    controlled.throwIfAborted();
    reporter.end();
    out(`\n${paint.strong("What is deployed now, as sluice show addons tells it:")}`);
    await printAddons(fleet.hub, { helmCharts: false, resources: false, output: "table" }, terminal, controlled);
  });
}

/** Fails after the timeout with the names of what is not healthy yet. */
async function withTimeout(
  clock: Clock,
  pendingWorkloads: PendingWorkloads,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const late = new AbortController();
  const cancel = clock.after(demoTimeoutMs, () => late.abort(timeoutFault(pendingWorkloads)));
  try {
    await work(AbortSignal.any([signal, late.signal]));
  } finally {
    cancel();
  }
}

function timeoutFault({ pending }: PendingWorkloads): Fault {
  const left = pending.map(({ cluster, ref, because }) => `  ${cluster}  ${titleOf(ref)}: ${because}`);
  return new Fault(`not everything is healthy after ${demoTimeoutMs / 60_000} minutes:\n${left.join("\n")}`, undefined, { final: true });
}

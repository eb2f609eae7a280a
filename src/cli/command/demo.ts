import { once } from "node:events";
import { RealClock, type Clock } from "../../core/clock/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { thisMachine } from "../../kube/index.ts";
import { titleOf, type KubeObject } from "../../core/object/index.ts";
import { pathOf } from "../../dashboard/api/index.ts";
import type { LocalDashboard } from "../local-dashboard.ts";
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
  /** Serves a dashboard of the clusters, also after the end, until the signal aborts. Default false. */
  readonly dashboard?: boolean;
  /** Opens the dashboard in the browser. Default false. */
  readonly open?: boolean;
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
  const dashboard = options.dashboard === true ? await startDemoDashboard(fleet, options, terminal) : undefined;
  const onHealthy = async (controlled: AbortSignal) => {
    const seconds = ((clock.now() - startedAt) / 1000).toFixed(1);
    out(`${paint.good("Everything is healthy")} after ${seconds} s. How it was done: docs/demo.md`);
    if (dashboard === undefined) return;
    out("The clusters and their dashboard stay until Ctrl-C.");
    if (!controlled.aborted) await once(controlled, "abort");
    // The controller has failed.
    if (!signal.aborted) controlled.throwIfAborted();
  };
  try {
    await withTimeout(clock, pendingWorkloads, signal, (limited, cancel) =>
      runDemo({ fleet, manifests, pendingWorkloads, reporter, terminal, onHealthy }, limited, cancel),
    );
    return exitCodes.ok;
  } finally {
    reporter.end();
    await dashboard?.close({ isRunOver: true });
    fleet.stop();
  }
}

/** What serves a dashboard is loaded only when it is asked for. */
async function startDemoDashboard(fleet: DemoFleet, { open: isOpened = false }: DemoOptions, terminal: Terminal): Promise<LocalDashboard> {
  const [{ startLocalDashboard }, { announce }] = await Promise.all([import("../local-dashboard.ts"), import("../run-dashboard.ts")]);
  const clusters = new Map([["management", fleet.hub], ...fleet.managed]);
  const contexts = [...clusters.keys()].map((name, at) => ({ name, current: at === 0 }));
  const open = async (name: string) => clusters.get(name) ?? fleet.hub;
  const dashboard = await startLocalDashboard({ contexts, terminal, open, openManaged: fleet.openManaged });
  await announce(dashboard.url(pathOf({ type: "events", context: "management" })), isOpened, terminal);
  return dashboard;
}

type DemoRun = {
  readonly fleet: DemoFleet;
  readonly manifests: readonly KubeObject[];
  readonly pendingWorkloads: PendingWorkloads;
  readonly reporter: DemoReporter;
  readonly terminal: Terminal;
  /** Is called when everything is healthy, while the controller still runs. */
  readonly onHealthy: (signal: AbortSignal) => Promise<void>;
};

/** Runs the demo. The time-out is cancelled when everything is healthy. */
async function runDemo(run: DemoRun, signal: AbortSignal, cancelTimeout: () => void): Promise<void> {
  const { fleet, onHealthy } = run;
  await fleet.prepare(signal);
  await fleet.withController(signal, async (controlled) => {
    await deployExample(run, controlled);
    cancelTimeout();
    await onHealthy(controlled);
  });
}

async function deployExample({ fleet, manifests, pendingWorkloads, reporter, terminal }: DemoRun, controlled: AbortSignal): Promise<void> {
  const { out, paint } = terminal;

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
}

/** Fails after the timeout with the names of what is not healthy yet. */
async function withTimeout(
  clock: Clock,
  pendingWorkloads: PendingWorkloads,
  signal: AbortSignal,
  work: (signal: AbortSignal, cancel: () => void) => Promise<void>,
): Promise<void> {
  const late = new AbortController();
  const cancel = clock.after(demoTimeoutMs, () => late.abort(timeoutFault(pendingWorkloads)));
  try {
    await work(AbortSignal.any([signal, late.signal]), cancel);
  } finally {
    cancel();
  }
}

function timeoutFault({ pending }: PendingWorkloads): Fault {
  const left = pending.map(({ cluster, ref, because }) => `  ${cluster}  ${titleOf(ref)}: ${because}`);
  return new Fault(`not everything is healthy after ${demoTimeoutMs / 60_000} minutes:\n${left.join("\n")}`, undefined, { final: true });
}

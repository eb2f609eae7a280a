import { homedir } from "node:os";
import { chartSourceFrom } from "../../sveltos/deploy/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import { runControllers } from "../../sveltos/controllers/index.ts";
import { Monitor } from "../../sveltos/telemetry/index.ts";
import { networkOpener } from "../../sveltos/fleet/index.ts";
import { openCluster, thisMachine } from "../../kube/index.ts";
import { openRepositoryEnvironment } from "../../repository/index.ts";
import { templateEnvironment } from "../chart/chart-request.ts";
import { eventWorkerPool, profileWorkerPool } from "../controller/worker-process.ts";
import { withProbeServer } from "../controller/probe-server.ts";
import { warningLog } from "../controller/warning-log.ts";
import { exitCodes } from "../failure.ts";
import { runService } from "../interrupt.ts";
import { processIdentity } from "../process-identity.ts";
import { limitHeapGrowth } from "../light.ts";
import { wantsTraces } from "../trace-variables.ts";
import type { Terminal } from "../terminal.ts";
import type { ControllerFlags, ServiceFlags } from "../command-group/controller.ts";

/** What each cache of charts and of schemas may hold in the temporary folder, whose size the chart limits to 1 GiB. */
const maxCacheBytes = 256 * 2 ** 20;

/** Runs the controllers of a management cluster until the signal aborts. */
export async function controller(options: ControllerFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { namespace, metricsAddress, logLevel, installDefinitions: installCrds, besideSveltos, schemaHosts, recording } = options;
  limitHeapGrowth();
  const clock = new RealClock();
  const monitor = new Monitor({ clock, write: terminal.err, level: logLevel });
  const warn = warningLog((warning) => monitor.log.write("warn", warning));
  const machine = thisMachine();
  const { cluster: hub, close } = await openCluster({ ...kubeconfigFlags(options), clock, machine, warn });
  const environment = openRepositoryEnvironment({
    env: process.env,
    home: process.env["HOME"] || homedir(),
    platform: process.platform,
    clock,
    warn,
    signal,
    maxCacheBytes,
  });
  const tasks = profileWorkerPool(clock);
  const eventTasks = eventWorkerPool(clock);
  const traces = wantsTraces(process.env) ? (await import("../open-traces.ts")).openTraces(clock, warn) : undefined;
  try {
    const controllerOptions = {
      hub,
      namespace,
      identity: processIdentity("controller"),
      open: networkOpener(machine, clock),
      environment: templateEnvironment(clock),
      tasks,
      eventTasks,
      charts: chartSourceFrom(environment, { schemaHosts }),
      monitor,
      installCrds,
      besideSveltos,
      recording,
      ...(traces === undefined ? {} : { traces }),
    };
    await withProbeServer(monitor, metricsAddress, () => runService("controller", signal, () => runControllers(controllerOptions, signal)));
    return exitCodes.ok;
  } finally {
    await traces?.flush();
    tasks.close();
    eventTasks.close();
    close();
  }
}

/** The kubeconfig flags. Without either, the default kubeconfig or the pod's service account is used. */
export function kubeconfigFlags({ context, kubeconfig }: Pick<ServiceFlags, "context" | "kubeconfig">) {
  return { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

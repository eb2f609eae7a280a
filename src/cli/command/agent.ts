import { RealClock } from "../../core/clock/index.ts";
import { runAgent } from "../../sveltos/agent/index.ts";
import { Monitor } from "../../sveltos/telemetry/index.ts";
import { openCluster } from "../../kube/index.ts";
import { eventWorkerPool } from "../controller/worker-process.ts";
import { withProbeServer } from "../controller/probe-server.ts";
import { warningLog } from "../controller/warning-log.ts";
import { exitCodes } from "../failure.ts";
import { runService } from "../interrupt.ts";
import { processIdentity } from "../process-identity.ts";
import { limitHeapGrowth } from "../light.ts";
import type { Terminal } from "../terminal.ts";
import { kubeconfigFlags } from "./controller.ts";
import type { ServiceFlags } from "../command-group/controller.ts";

/** Evaluates EventSources for one managed cluster until the signal aborts. Runs inside that cluster or from its kubeconfig. */
export async function agent(options: ServiceFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  limitHeapGrowth();
  const clock = new RealClock();
  const monitor = new Monitor({ clock, write: terminal.err, level: options.logLevel });
  const warn = warningLog((warning) => monitor.log.write("warn", warning));
  const { cluster, close } = await openCluster({ ...kubeconfigFlags(options), clock, warn });
  const identity = processIdentity("agent");
  const base = monitor.telemetryFor(cluster, identity, signal, new Set());
  const well = () => (monitor.readiness = () => ({ well: true }));
  const telemetry: typeof base = {
    ...base,
    watchQueue(name, queue) {
      base.watchQueue(name, queue);
      well();
    },
  };
  const waiting = (because: string) => {
    monitor.log.write("info", "waits for another agent", { because });
    well();
  };
  const tasks = eventWorkerPool(clock);
  try {
    await withProbeServer(monitor, options.metricsAddress, () =>
      runService("agent", signal, () => runAgent(cluster, { identity, telemetry, tasks, waiting }, signal)),
    );
    return exitCodes.ok;
  } finally {
    tasks.close();
    close();
  }
}

import { RealClock } from "../../core/clock/index.ts";
import { runAgent } from "../../sveltos/agent/index.ts";
import { Monitor } from "../../sveltos/telemetry/index.ts";
import { openCluster } from "../../kube/index.ts";
import { whileProbed } from "../controller/probes.ts";
import { exitCodes } from "../failure.ts";
import { identityOf } from "../identity.ts";
import { staySmall } from "../light.ts";
import type { Terminal } from "../terminal.ts";
import { placeOf, type ServiceCommand } from "./controller.ts";

/** Evaluates the events of a managed cluster, inside of it or wherever its kubeconfig is, until the signal. */
export async function agent(options: ServiceCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  staySmall();
  const clock = new RealClock();
  const monitor = new Monitor({ clock, write: terminal.err, level: options.logLevel });
  const warn = (warning: string) => monitor.log.say("warn", warning);
  const { cluster, close } = await openCluster({ ...placeOf(options), clock, warn });
  const identity = identityOf("agent");
  const told = monitor.chronicle(cluster, identity, signal, new Set());
  const well = () => (monitor.readiness = () => ({ well: true }));
  const chronicle: typeof told = {
    ...told,
    watch(name, queue) {
      told.watch(name, queue);
      well();
    },
  };
  const waiting = (because: string) => {
    monitor.log.say("info", "waits for another agent", { because });
    well();
  };
  try {
    await whileProbed(monitor, options.metricsAddress, () => runAgent(cluster, { identity, chronicle, waiting }, signal));
    return exitCodes.ok;
  } finally {
    close();
  }
}

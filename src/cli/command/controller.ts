import { homedir } from "node:os";
import { chartsFrom } from "../../sveltos/deploy/index.ts";
import { RealClock } from "../../core/clock/index.ts";
import { runController } from "../../sveltos/controllers/index.ts";
import { Monitor, type LogLevel } from "../../sveltos/telemetry/index.ts";
import { overNetwork } from "../../sveltos/fleet/index.ts";
import { openCluster, thisMachine } from "../../kube/index.ts";
import { outsideOf } from "../../repository/index.ts";
import type { ListenAddress } from "../../server/index.ts";
import { surroundingsOfTemplates } from "../chart/order.ts";
import { whileProbed } from "../controller/probes.ts";
import { exitCodes } from "../failure.ts";
import { identityOf } from "../identity.ts";
import { staySmall } from "../light.ts";
import type { Terminal } from "../terminal.ts";

/** What everything that runs until it is ended is told. */
export type ServiceCommand = {
  readonly context?: string;
  readonly kubeconfig?: string;
  readonly metricsAddress?: ListenAddress;
  readonly logLevel: LogLevel;
};

export type ControllerCommand = ServiceCommand & {
  readonly namespace: string;
  readonly installDefinitions: boolean;
  readonly besideSveltos: boolean;
};

/** How many different warnings of servers are told: they may have names in them. */
const mostWarnings = 100;

/** Works for a management cluster until the signal. */
export async function controller(options: ControllerCommand, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { namespace, metricsAddress, logLevel, installDefinitions, besideSveltos } = options;
  staySmall();
  const clock = new RealClock();
  const monitor = new Monitor({ clock, write: terminal.err, level: logLevel });
  const told = new Set<string>();
  // A server says the same of every write of a kind.
  const warn = (warning: string) => {
    if (told.has(warning) || told.size >= mostWarnings) return;
    told.add(warning);
    monitor.log.say("warn", warning);
  };
  const machine = thisMachine();
  const { cluster: hub, close } = await openCluster({ ...placeOf(options), clock, machine, warn });
  const outside = outsideOf({ env: process.env, home: process.env["HOME"] || homedir(), platform: process.platform, clock, warn, signal });
  try {
    await whileProbed(monitor, metricsAddress, () =>
      runController(
        {
          hub,
          namespace,
          identity: identityOf("controller"),
          open: overNetwork(machine, clock),
          surroundings: surroundingsOfTemplates(clock),
          charts: chartsFrom(outside),
          monitor,
          installDefinitions,
          besideSveltos,
        },
        signal,
      ),
    );
    return exitCodes.ok;
  } finally {
    close();
  }
}

/** Which kubeconfig is meant; neither flag means the usual one, or the pod that this runs in. */
export function placeOf({ context, kubeconfig }: Pick<ServiceCommand, "context" | "kubeconfig">) {
  return { ...(context === undefined ? {} : { context }), ...(kubeconfig === undefined ? {} : { kubeconfig }) };
}

import { once } from "node:events";
import { RealClock } from "../../core/clock/index.ts";
import { createServingAuthority, serveExchange, type ServedExchange } from "../../server/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readBehaviourFile } from "../behaviour-file.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { removeKubeconfig, writeKubeconfig } from "../kubeconfig-file.ts";
import type { Terminal } from "../terminal.ts";
import type { ServeClustersFlags } from "../command-group/embedded.ts";

/** Serves embedded clusters until the signal aborts: the first at `port`, the others at the ports after it. */
export async function serveEmbeddedClusters(options: ServeClustersFlags, { out, paint }: Terminal, signal: AbortSignal): Promise<number> {
  const names = namesOf(options.clusters);
  checkPorts(options);
  const authorization = options.authorizationMode;
  const clock = new RealClock({ speed: options.speed });
  const behaviour = options.behaviour === undefined ? {} : { behaviour: await readBehaviourFile(options.behaviour) };
  const running: { name: string; served: ServedExchange; stop: () => void }[] = [];
  try {
    for (const [index, name] of names.entries()) {
      // Uids differ from start to start, since a cluster that is made anew is another one. How Pods turn out does not.
      const now = new Date(clock.now());
      const authority = createServingAuthority(name, now);
      const { certificate } = authority;
      const { exchange, stop } = startEmbeddedCluster({
        clock,
        seed: index + 1,
        random: Math.random,
        certificate,
        authorization,
        nodes: options.nodes,
        ...behaviour,
      });
      const port = options.port === 0 ? 0 : options.port + index;
      running.push({ name, stop, served: await serveExchange(exchange, { port, name, now, authority }) });
    }
    await writeKubeconfig(options.kubeconfig, running);
    for (const { name, served } of running) out(`${paint.good("ready")} ${served.url} ${paint.dim(`context ${name}`)}`);
    out(`kubectl --kubeconfig ${options.kubeconfig} get namespaces ${paint.dim("(Ctrl-C ends it and forgets everything)")}`);
    if (!signal.aborted) await once(signal, "abort");
    await removeKubeconfig(options.kubeconfig, running);
    return exitCodes.ok;
  } finally {
    for (const { served, stop } of running) {
      stop();
      await served.close();
    }
  }
}

const highestPort = 65_535;

function checkPorts({ port, clusters }: ServeClustersFlags): void {
  const last = highestPort - clusters + 1;
  if (port > last)
    throw new UsageFault(
      `serve ${clusters} clusters from port ${port} on`,
      `there are no ports above ${highestPort}: expected --port ${last} or lower`,
    );
}

function namesOf(clusters: number): readonly string[] {
  return clusters === 1 ? ["sluice"] : Array.from({ length: clusters }, (_, index) => `sluice-${index + 1}`);
}

import { once } from "node:events";
import { RealClock } from "../../core/clock/index.ts";
import { webhookCaller } from "../../http/index.ts";
import { createServingAuthority, serveExchange, type ServedExchange } from "../../server/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { readBehaviourFile } from "../behaviour-file.ts";
import type { DataFolder } from "../data/data-folder.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { removeKubeconfig, writeKubeconfig } from "../kubeconfig-file.ts";
import type { Terminal } from "../terminal.ts";
import type { ServeClustersFlags } from "../command-group/embedded.ts";

/** Serves embedded clusters until the signal aborts: the first at `port`, the others at the ports after it. */
export async function serveEmbeddedClusters(options: ServeClustersFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { out, err, paint } = terminal;
  const names = namesOf(options.clusters);
  checkFlags(options);
  const behaviour = options.behaviour === undefined ? {} : { behaviour: await readBehaviourFile(options.behaviour) };
  const folders: DataFolder[] = [];
  const running: { name: string; served: ServedExchange; stop: () => void }[] = [];
  try {
    await openFolders(options, names, folders);
    for (const { warning } of folders) if (warning !== undefined) err(warning);
    // A cluster whose time has run ahead goes on from there.
    const clock = new RealClock({ speed: options.speed, notBefore: Math.max(0, ...folders.map(({ data }) => data.time)) });
    for (const [index, name] of names.entries()) {
      const now = machineTime();
      const folder = folders[index];
      const authority = folder?.identity.authority ?? createServingAuthority(name, now);
      const { exchange, stop } = startEmbeddedCluster({
        clock,
        seed: index + 1,
        // Uids differ from start to start, since a cluster that is made anew is another one. How Pods turn out does not.
        random: Math.random,
        authority,
        authorization: options.authorizationMode,
        nodes: options.nodes,
        callWebhook: webhookCaller(new RealClock()),
        ...behaviour,
        ...(folder === undefined ? {} : { data: folder.data, tokenKey: folder.identity.tokenKey }),
      });
      const port = options.port === 0 ? 0 : options.port + index;
      running.push({ name, stop, served: await serveExchange(exchange, { port, name, now, authority }) });
    }
    await writeKubeconfig(options.kubeconfig, running);
    for (const { name, served } of running) out(`${paint.good("ready")} ${served.url} ${paint.dim(`context ${name}`)}`);
    const end = options.data === undefined ? "Ctrl-C ends it and forgets everything" : `Ctrl-C ends it; ${options.data} keeps everything`;
    out(`kubectl --kubeconfig ${options.kubeconfig} get namespaces ${paint.dim(`(${end})`)}`);
    await endOf(signal, folders);
    await removeKubeconfig(options.kubeconfig, running);
    return exitCodes.ok;
  } finally {
    for (const { served, stop } of running) {
      stop();
      await served.close();
    }
    for (const { close } of folders) await close();
  }
}

/** Certificates are judged by the time of the machine, which a cluster's own may be ahead of. */
function machineTime(): Date {
  return new Date(new RealClock().now());
}

/** Opens the folders of `--data`. What this needs is loaded only then. */
async function openFolders({ data, fsync }: ServeClustersFlags, names: readonly string[], opened: DataFolder[]): Promise<void> {
  if (data === undefined) return;
  const { dataFolders, openDataFolder } = await import("../data/data-folder.ts");
  for (const [index, folder] of dataFolders(data, names).entries())
    opened.push(await openDataFolder(folder, { name: names[index]!, now: machineTime(), fsync }));
}

/** Resolves when the signal aborts. Throws when a disk fails: what the cluster answers would no longer be true. */
async function endOf(signal: AbortSignal, folders: readonly DataFolder[]): Promise<void> {
  if (signal.aborted) return;
  const fault = await Promise.race([once(signal, "abort").then(() => undefined), ...folders.map(({ failed }) => failed)]);
  if (fault !== undefined) throw fault;
}

const highestPort = 65_535;

function checkFlags({ port, clusters, data, fsync }: ServeClustersFlags): void {
  if (fsync && data === undefined)
    throw new UsageFault("serve a cluster with --fsync", "there is nothing to write to the disk: name a folder with --data");
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

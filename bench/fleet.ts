/**
 * One controller and many embedded clusters, which run in other processes and are reached over the network, as is the
 * management cluster. In each of them many Services are created at once, and each gets its NetworkPolicy. Measures what
 * the controller needs for that, and how it grows with the fleet.
 *
 * `SLUICE_BENCH_CLUSTERS=20,50` asks for other sizes.
 */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gvkOf } from "../src/sveltos/api/index.ts";
import { register } from "../src/sveltos/fleet/index.ts";
import { newInformer, openCluster, waitForKind, type Cluster } from "../src/kube/index.ts";
import { booleanAt } from "../src/core/object/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";
import { startController } from "./controller-process.ts";
import { sendCommand, serveClusters, startEmbeddedHost, type Kubeconfigs } from "./embedded-host.ts";
import type { HostMessage } from "./fleet-host.ts";
import { reportNote, reportAtMost } from "./report.ts";

const sizes = (process.env["SLUICE_BENCH_CLUSTERS"] ?? "50,100,200,300").split(",").map(Number);
const services = 100;
const perHost = 25;
const namespace = "mgmt";
const mostMiB = 1500;
/** The growth up to which a cost counts as constant; it includes other load of the machine. */
const flat = 1.25;

type Figures = {
  readonly clusters: number;
  readonly seconds: number;
  /** CPU of the controller in milliseconds. */
  readonly perCluster: number;
  readonly perEvent: number;
  readonly peakMiB: number;
};

/** Runs the benchmark and prints its figures. */
export async function benchFleet(): Promise<void> {
  const all: Figures[] = [];
  for (const clusters of sizes) {
    const figures = await measured(clusters);
    all.push(figures);
    const { seconds, perCluster, perEvent, peakMiB } = figures;
    const costs = `${perCluster.toFixed(0)} ms a cluster, ${perEvent.toFixed(1)} ms an event, ${peakMiB.toFixed(0)} MiB at most`;
    reportNote(`${clusters} clusters, ${clusters * services} events, all deployed`, `${seconds.toFixed(0)} s; CPU: ${costs}`);
  }
  const [least, most] = [all[0]!, all.at(-1)!];
  const about = `from ${least.clusters} to ${most.clusters} clusters`;
  reportAtMost(`CPU per event ${about}: times`, most.perEvent / least.perEvent, flat, "x");
  reportAtMost(`CPU per cluster ${about}: times`, most.perCluster / least.perCluster, flat, "x");
  reportAtMost(`memory of the controller with ${most.clusters} clusters`, most.peakMiB, mostMiB, " MiB");
  reportNote("load of the machine", loadavg()[0]!.toFixed(1));
}

async function measured(clusters: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-fleet-"));
  const names = Array.from({ length: clusters }, (_, index) => `c${index}`);
  const groups = Array.from({ length: Math.ceil(clusters / perHost) }, (_, at) => names.slice(at * perHost, (at + 1) * perHost));
  const management = startEmbeddedHost();
  const hosts = groups.map(startEmbeddedHost);
  try {
    const kubeconfig = join(folder, "kubeconfig");
    writeFileSync(kubeconfig, (await serveClusters(management, ["hub"]))["hub"]!, { mode: 0o600 });
    const kubeconfigs = Object.assign({}, ...(await Promise.all(hosts.map((host, at) => serveClusters(host, groups[at]!))))) as Kubeconfigs;
    const { cluster: hub, close } = await openCluster({ kubeconfig });
    for (const name of [namespace, "projectsveltos"]) await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
    const controller = startController(kubeconfig);
    try {
      await waitForKind(hub, gvkOf("EventBasedAddOn"), new AbortController().signal);
      for (const object of exampleManifests("network-policy/*.yaml")) await hub.apply(object, { manager: "kubectl", force: true });
      const emptyMs = controller.cpuMs();
      await joined(hub, kubeconfigs);
      const joinedMs = controller.cpuMs();
      const startedAt = performance.now();
      await deployed(hosts, clusters * services);
      return {
        clusters,
        seconds: (performance.now() - startedAt) / 1000,
        perCluster: (joinedMs - emptyMs) / clusters,
        perEvent: (controller.cpuMs() - joinedMs) / (clusters * services),
        peakMiB: controller.peakMiB(),
      };
    } finally {
      await controller.end();
      close();
    }
  } finally {
    for (const host of [management, ...hosts]) host.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Registers all clusters, and waits until the controller has connected to each. */
async function joined(hub: Cluster, kubeconfigs: Kubeconfigs): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  for (const [name, kubeconfig] of Object.entries(kubeconfigs)) {
    await register(hub, { namespace, name, kubeconfig, labels: { env: "fv" } }, signal);
  }
  const informer = newInformer(hub, gvkOf("SveltosCluster"), { signal });
  const ready = new Set<string>();
  for await (const change of informer) {
    if (change.type !== "added" && change.type !== "modified") continue;
    if (booleanAt(change.object, "status.ready")) ready.add(change.object.metadata.name);
    if (ready.size === Object.keys(kubeconfigs).length) break;
  }
  stop.abort();
}

/** Creates Services in all clusters at once, and waits until all have their NetworkPolicies. */
async function deployed(hosts: readonly ChildProcess[], events: number): Promise<void> {
  const done = Promise.withResolvers<void>();
  let count = 0;
  for (const host of hosts) {
    host.on("message", (message: HostMessage) => {
      if ("deployed" in message) count += message.deployed;
      if (count >= events) done.resolve();
    });
    host.once("exit", () => done.reject(new Error("a host has ended")));
    sendCommand(host, { services });
  }
  await done.promise;
  for (const host of hosts) host.removeAllListeners();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchFleet();

import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gvkOf, sveltosNamespace } from "../../src/sveltos/api/index.ts";
import { generateKubeconfig, register } from "../../src/sveltos/fleet/index.ts";
import { openCluster, waitForKind, type Cluster, type OpenedCluster } from "../../src/kube/index.ts";
import { holderOf, leaseKind } from "../../src/reconcile/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { testFolder, runSluice } from "../support/command-line.ts";
import { startSluice, type SluiceProcess } from "../cluster/sluice-process.ts";
import { startFleet, type RunningCluster, type RunningFleet } from "../cluster/start-cluster.ts";
import { kubeconfigFor } from "../cluster/cluster-credentials.ts";
import { ApiProxy } from "./api-proxy.ts";
import { FaultProxy } from "./fault-proxy.ts";

/** The namespace in which the clusters are registered, and the label that profiles select them by. */
export const fleetNamespace = "mgmt";
export const fleetLabels = { chaos: "yes" };

type ChaosFleetOptions = {
  readonly managed: number;
  readonly replicas: number;
  /** A folder for the replicas' logs. Default: one that is removed in the end. */
  readonly logs?: string;
};

/** Replicas of the controller on real control planes, which they reach through proxies only. */
export class ChaosFleet {
  readonly #running: RunningFleet;
  readonly #opened: readonly OpenedCluster[];
  readonly #folder = testFolder("chaos");
  readonly #stop = new AbortController();
  /** The folder with the replicas' logs. */
  logFolder = this.#folder.path;
  #kubeconfig = "";
  #started = 0;
  /** The replicas that should be running. */
  replicas: SluiceProcess[] = [];
  /** Between the replicas and the management cluster. */
  readonly network: FaultProxy;
  /** Between the replicas and each managed cluster. */
  readonly managedNetworks: readonly FaultProxy[];
  /** An HTTP proxy before the management API, for faults that `network` can lead to it. */
  readonly proxy: ApiProxy;

  private constructor(running: RunningFleet, opened: readonly OpenedCluster[], network: FaultProxy, managedNetworks: FaultProxy[]) {
    this.#running = running;
    this.#opened = opened;
    this.network = network;
    this.managedNetworks = managedNetworks;
    this.proxy = new ApiProxy(running.management.credentials, portOf(running.management));
  }

  static async open(program: string, { managed, replicas, logs }: ChaosFleetOptions): Promise<ChaosFleet> {
    const running = await startFleet(program, { managed });
    const opened = await Promise.all([running.management, ...running.managed].map(({ kubeconfig }) => openCluster({ kubeconfig })));
    const [network, ...others] = await Promise.all([running.management, ...running.managed].map((each) => FaultProxy.open(portOf(each))));
    const fleet = new ChaosFleet(running, opened, network!, others);
    fleet.logFolder = logs ?? fleet.logFolder;
    mkdirSync(fleet.logFolder, { recursive: true });
    try {
      await fleet.#install();
      for (let index = 0; index < replicas; index++) await fleet.startReplica();
      await Promise.all(fleet.replicas.map((replica) => replica.until("/readyz", /^ok/)));
    } catch (error) {
      await fleet.close();
      throw error;
    }
    return fleet;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    for (const replica of this.replicas) replica.resume();
    await Promise.all(this.replicas.map((replica) => replica.kill()));
    await Promise.all([this.network, ...this.managedNetworks].map((network) => network.close()));
    await this.proxy.close();
    for (const { close } of this.#opened) close();
    await this.#running.stop();
  }

  /** The management cluster, without a proxy in between. */
  get hub(): Cluster {
    return this.#opened[0]!.cluster;
  }

  /** The managed clusters, without a proxy in between. */
  get managed(): readonly Cluster[] {
    return this.#opened.slice(1).map(({ cluster }) => cluster);
  }

  get management(): RunningCluster {
    return this.#running.management;
  }

  clusterName(index: number): string {
    return `c${index + 1}`;
  }

  async startReplica(): Promise<void> {
    const log = openSync(join(this.logFolder, `replica-${++this.#started}.log`), "a");
    this.replicas.push(await startSluice("controller", this.#kubeconfig, { log }));
    closeSync(log);
  }

  /** Takes a replica out of those that should be running. */
  remove(replica: SluiceProcess): void {
    this.replicas = this.replicas.filter((each) => each !== replica);
  }

  /** The replica that leads, by its own account. */
  async findLeader(): Promise<SluiceProcess | undefined> {
    const pages = await Promise.all(this.replicas.map((replica) => replica.page("/metrics").catch(() => "")));
    return this.replicas[pages.findIndex((page) => /^sluice_leader 1$/m.test(page))];
  }

  /** What each replica says of itself, for those who look for what is in the way. */
  async states(): Promise<readonly string[]> {
    return Promise.all(
      this.replicas.map(async (replica) => {
        const [metrics, readiness] = await Promise.all(["/metrics", "/readyz"].map((page) => replica.page(page).catch(String)));
        const told = ["leader", "replicas", "clusters_owned"].map((name) => {
          return `${name} ${new RegExp(`^sluice_${name} (\\d+)$`, "m").exec(metrics!)?.[1] ?? "?"}`;
        });
        return `${told.join(", ")}, ${readiness!.trim().replaceAll(/\s+/g, " ").slice(0, 100)}`;
      }),
    );
  }

  /** The Leases of the replicas that somebody holds. */
  async heldLeases(): Promise<readonly string[]> {
    const { items } = await this.hub.list(leaseKind, { namespace: sveltosNamespace });
    return items.filter((lease) => holderOf(lease) !== "").map(({ metadata }) => metadata.name);
  }

  /** The resident memory of each replica, in MB. */
  memory(): readonly number[] {
    return this.replicas.map(({ pid, endedBy }) => {
      if (endedBy() !== undefined) return 0;
      const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
      return Math.round(Number(kilobytes) / 1024);
    });
  }

  async #install(): Promise<void> {
    const { signal } = this.#stop;
    const { out } = await runSluice("controller", "manifests");
    for (const { object } of readManifests(out, "manifests").manifests)
      if (object.kind !== "Deployment") await this.hub.apply(object, { manager: "kubectl", force: true });
    await this.hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: fleetNamespace } });
    await waitForKind(this.hub, gvkOf("SveltosCluster"), signal);
    const server = `https://127.0.0.1:${this.network.port}`;
    this.#kubeconfig = this.#folder.file(
      "kubeconfig",
      await generateKubeconfig(this.hub, { server, serviceAccount: "sluice-controller", signal }),
    );
    for (const [index, { credentials }] of this.#running.managed.entries()) {
      const name = this.clusterName(index);
      const kubeconfig = kubeconfigFor(name, `https://127.0.0.1:${this.managedNetworks[index]!.port}`, credentials);
      await register(this.hub, { namespace: fleetNamespace, name, kubeconfig, labels: fleetLabels }, signal);
    }
  }
}

function portOf({ server }: RunningCluster): number {
  return Number(new URL(server).port);
}

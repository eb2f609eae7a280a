/** A management cluster and a managed one, both real control planes, with the network-policy example. */
import { readFileSync } from "node:fs";
import { sveltosCrds, gvkOf } from "../src/sveltos/api/index.ts";
import { register } from "../src/sveltos/fleet/index.ts";
import { newInformer, openCluster, waitForKind, type Cluster } from "../src/kube/index.ts";
import { exampleManifests } from "../test/sveltos/test-fleet.ts";
import { startFleet, type RunningCluster } from "../test/cluster/start-cluster.ts";
import { buildControlPlane } from "../test/cluster/toolchain.ts";
import { clusterName } from "./events-recording.ts";

export type EventsFixture = {
  readonly hub: Cluster;
  readonly managed: Cluster;
  readonly control: RunningCluster;
  readonly worker: RunningCluster;
  readonly signal: AbortSignal;
  stop(): Promise<void>;
};

const namespace = "mgmt";

export async function openEventsFixture(log: (line: string) => void): Promise<EventsFixture> {
  const running = await startFleet(await buildControlPlane(log), { managed: 1 });
  const [worker] = running.managed;
  if (worker === undefined) throw new Error("there is no cluster to manage");
  const opened = await Promise.all([running.management, worker].map(({ kubeconfig }) => openCluster({ kubeconfig })));
  const [hub, managed] = opened.map(({ cluster }) => cluster) as [Cluster, Cluster];
  const stop = new AbortController();
  const { signal } = stop;
  for (const crd of sveltosCrds()) await hub.create(crd);
  for (const name of [namespace, "projectsveltos"]) await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const kind of ["SveltosCluster", "ClusterSummary", "EventReport"] as const) await waitForKind(hub, gvkOf(kind), signal);
  const kubeconfig = readFileSync(worker.kubeconfig, "utf8");
  await register(hub, { namespace, name: clusterName, kubeconfig, labels: { env: "fv" } }, signal);
  return {
    hub,
    managed,
    control: running.management,
    worker,
    signal,
    async stop() {
      stop.abort();
      for (const each of opened) each.close();
      await running.stop();
    },
  };
}

/** Applies the example, which deploys a NetworkPolicy for each labelled Service. */
export async function applyExample({ hub }: EventsFixture): Promise<void> {
  for (const object of exampleManifests("network-policy/*.yaml")) await hub.apply(object, { manager: "kubectl", force: true });
}

/** When a watch reported that objects of a kind were added and deleted. */
export class ObjectTimes {
  readonly #added = new Map<string, number>();
  readonly #deleted = new Map<string, number>();
  readonly #ready = Promise.withResolvers<void>();
  #changed = () => {};

  constructor({ managed, signal }: EventsFixture, kind: Parameters<typeof newInformer>[1]) {
    this.#follow(newInformer(managed, kind, { namespace: "default", signal })).catch((error: unknown) => this.#ready.reject(error));
  }

  async #follow(changes: ReturnType<typeof newInformer>): Promise<void> {
    for await (const change of changes) {
      if (change.type === "synced") this.#ready.resolve();
      if (change.type === "added") this.#added.set(change.object.metadata.name, performance.now());
      if (change.type === "deleted") this.#deleted.set(change.object.metadata.name, performance.now());
      this.#changed();
    }
  }

  /** Resolves when the informer has synced. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  addedAt(name: string): number | undefined {
    return this.#added.get(name);
  }

  deletedAt(name: string): number | undefined {
    return this.#deleted.get(name);
  }

  /** Waits until `holds` is true or the time is over; returns whether it held. */
  async until(holds: () => boolean, atMostMs: number): Promise<boolean> {
    const done = Promise.withResolvers<boolean>();
    this.#changed = () => {
      if (holds()) done.resolve(true);
    };
    const timer = setTimeout(() => done.resolve(false), atMostMs);
    this.#changed();
    try {
      return await done.promise;
    } finally {
      clearTimeout(timer);
      this.#changed = () => {};
    }
  }
}

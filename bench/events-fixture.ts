/** A management cluster and a managed one, both real control planes, with the network-policy example. */
import { readFileSync } from "node:fs";
import { sveltosCrds, gvkOf } from "../src/sveltos/api/index.ts";
import { register } from "../src/sveltos/fleet/index.ts";
import { openCluster, waitForKind, type Cluster } from "../src/kube/index.ts";
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
  await registerManaged(hub, readFileSync(worker.kubeconfig, "utf8"), signal);
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

/** Makes a management cluster of this one, and registers the managed one with its kubeconfig. */
export async function registerManaged(hub: Cluster, kubeconfig: string, signal: AbortSignal): Promise<void> {
  for (const crd of sveltosCrds()) await hub.create(crd);
  for (const name of [namespace, "projectsveltos"]) await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  for (const kind of ["SveltosCluster", "ClusterSummary", "EventReport"] as const) await waitForKind(hub, gvkOf(kind), signal);
  await register(hub, { namespace, name: clusterName, kubeconfig, labels: { env: "fv" } }, signal);
}

/** Applies the example, which deploys a NetworkPolicy for each labelled Service. */
export async function applyExample({ hub }: EventsFixture): Promise<void> {
  for (const object of exampleManifests("network-policy/*.yaml")) await hub.apply(object, { manager: "kubectl", force: true });
}

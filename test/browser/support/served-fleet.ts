import { after } from "node:test";
import { RealClock } from "../../../src/core/clock/index.ts";
import { openCluster, thisMachine, type Cluster } from "../../../src/kube/index.ts";
import { templateEnvironment } from "../../../src/cli/chart/chart-request.ts";
import { readManifests } from "../../../src/lang/yaml/index.ts";
import { requireCrds, runControllers } from "../../../src/sveltos/controllers/index.ts";
import { networkOpener } from "../../../src/sveltos/fleet/index.ts";
import { Monitor } from "../../../src/sveltos/telemetry/index.ts";
import { runSluice, serveClusters, testFolder } from "../../support/command-line.ts";

/** A management cluster and managed ones, each served on its own port, with a controller in this process. */
export type ServedFleet = {
  readonly kubeconfig: string;
  /** The context of the management cluster. */
  readonly context: string;
  readonly hub: Cluster;
  /** The clients of the managed clusters, by name. */
  readonly managed: ReadonlyMap<string, Cluster>;
  /** Applies YAML to the management cluster. */
  readonly apply: (yaml: string) => Promise<void>;
};

const namespace = "fleet";

/** Serves a fleet of clusters with these labels until all tests of the file have ended. */
export async function serveFleet(clusters: Readonly<Record<string, Readonly<Record<string, string>>>>): Promise<ServedFleet> {
  const names = Object.keys(clusters);
  const { kubeconfig } = await serveClusters(testFolder("browser-fleet"), "--clusters", String(names.length + 1));
  const open = async (context: string) => {
    const { cluster, close } = await openCluster({ kubeconfig, context });
    after(close);
    return cluster;
  };
  const hub = await open("sluice-1");
  const stop = new AbortController();
  await requireCrds(hub, true, stop.signal);
  const managed = new Map<string, Cluster>();
  for (const [at, name] of names.entries()) {
    const context = `sluice-${at + 2}`;
    managed.set(name, await open(context));
    const labels = Object.entries(clusters[name]!).map(([key, value]) => `${key}=${value}`);
    const source = ["--kubeconfig", kubeconfig, "--fleet-cluster-context", context];
    const target = ["--management-kubeconfig", kubeconfig, "--context", "sluice-1", "-n", namespace];
    const { code, err } = await runSluice("register", "cluster", name, ...source, ...target, "--labels", labels.join(","));
    if (code !== 0) throw new Error(err);
  }
  const controlling = control(hub, stop.signal);
  after(async () => {
    stop.abort(new Error("the tests have ended"));
    await controlling;
  });
  const apply = async (yaml: string) => {
    for (const { object } of readManifests(yaml, "fleet.yaml").manifests) await hub.apply(object, { manager: "user", force: true });
  };
  return { kubeconfig, context: "sluice-1", hub, managed, apply };
}

/** Runs the controller as `sluice controller` does, without its log. */
async function control(hub: Cluster, signal: AbortSignal): Promise<void> {
  const clock = new RealClock();
  const options = {
    hub,
    namespace: "projectsveltos",
    identity: "browser-test",
    open: networkOpener(thisMachine(), clock),
    environment: templateEnvironment(clock),
    monitor: new Monitor({ clock, write: () => {} }),
  };
  try {
    await runControllers(options, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** A management cluster and a managed one, embedded and in processes of their own, for work on a machine without Go. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster, type Cluster } from "../src/kube/index.ts";
import { serveClusters, startEmbeddedHost } from "./embedded-host.ts";
import { openEventsFixture, registerManaged } from "./events-fixture.ts";
import { clusterName } from "./events-recording.ts";

export type LoadFixture = {
  readonly hub: Cluster;
  readonly managed: Cluster;
  /** The file for the management cluster. */
  readonly kubeconfig: string;
  readonly signal: AbortSignal;
  stop(): Promise<void>;
};

/** Real control planes; needs Go to build them once. */
export async function openRealFixture(): Promise<LoadFixture> {
  const fixture = await openEventsFixture((line) => void process.stdout.write(`     ${line}\n`));
  return { ...fixture, kubeconfig: fixture.control.kubeconfig };
}

export async function openEmbeddedFixture(): Promise<LoadFixture> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-bench-load-"));
  const hosts = [startEmbeddedHost(), startEmbeddedHost()];
  const texts = Object.assign({}, ...(await Promise.all(hosts.map((host, at) => serveClusters(host, [at === 0 ? "hub" : clusterName])))));
  const files = ["hub", clusterName].map((name) => join(folder, name));
  for (const [at, file] of files.entries()) writeFileSync(file, texts[at === 0 ? "hub" : clusterName], { mode: 0o600 });
  const opened = await Promise.all(files.map((kubeconfig) => openCluster({ kubeconfig })));
  const [hub, managed] = opened.map(({ cluster }) => cluster) as [Cluster, Cluster];
  const stop = new AbortController();
  const { signal } = stop;
  await registerManaged(hub, texts[clusterName], signal);
  return {
    hub,
    managed,
    kubeconfig: files[0]!,
    signal,
    async stop() {
      stop.abort();
      for (const each of opened) each.close();
      for (const host of hosts) host.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

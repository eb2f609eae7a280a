/** Every documented example on real control planes: one that manages and two that are managed, and the program as its users run it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, test } from "node:test";
import { gvkOf } from "../../src/api/index.ts";
import { RealClock, sleep } from "../../src/clock/index.ts";
import { deregister, register } from "../../src/fleet/index.ts";
import { openCluster, untilServed, type OpenedCluster } from "../../src/kube/index.ts";
import { refOf, type KubeObject } from "../../src/object/index.ts";
import type { Behaviour } from "../../src/sim/index.ts";
import { examples } from "../addons/examples.ts";
import type { Ground } from "../addons/ground.ts";
import { repository } from "../addons/kyverno.ts";
import { capiDefinition } from "../embedded-fleet.ts";
import { environment } from "./end-to-end.ts";
import { startKubelet } from "./kubelet.ts";
import { startFleet } from "./start.ts";
import { kubernetesVersion } from "./toolchain.ts";

const namespace = "mgmt";
const clusters = { one: { env: "fv" }, two: { dep: "eng" } } as const;
const limits = { timeout: 120_000 };
const soon = { fixed: 200 };

/** No cloud gives addresses: the example writes them. Jobs are soon over. */
const behaviour: Behaviour = {
  rules: [
    { match: { kind: "Service" }, address: { never: "the example writes it" } },
    { match: { kind: "Job" }, pull: { after: soon }, start: soon, run: { after: soon }, result: { exitCode: 0 } },
    { match: {}, pull: { after: soon }, start: soon, ready: { after: soon }, run: { never: "" }, terminate: { after: soon, exitCode: 0 } },
  ],
};

const stop = new AbortController();
const { signal } = stop;
const clock = new RealClock();
const running = await startFleet(process.env[environment.kubectl] ?? "");
const opened = await Promise.all([running.management, ...running.managed].map(({ kubeconfig }) => openCluster({ kubeconfig })));
const [hub, one, two] = opened.map(({ cluster }) => cluster) as [Ground["hub"], Ground["hub"], Ground["hub"]];
const failed = (error: unknown) => console.error(error);
const kubelets = await Promise.all(
  running.managed.map(({ credentials }, index) =>
    startKubelet({ cluster: [one, two][index]!, credentials, behaviour, version: kubernetesVersion, fail: failed }),
  ),
);
const charts = createServer(({ url = "" }, answer) => void answer.writeHead(url in repository ? 200 : 404).end(repository[url]));
charts.listen(0, "127.0.0.1");
await once(charts, "listening");

for (const name of [namespace, "projectsveltos"]) await hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
await hub.create(capiDefinition);
const controller = startController();
await untilServed(hub, gvkOf("SveltosCluster"), signal);
await untilServed(hub, { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster" }, signal);

after(async () => {
  await controller.end();
  stop.abort();
  charts.close();
  await Promise.all(kubelets.map((kubelet) => kubelet.stop()));
  for (const each of opened satisfies OpenedCluster[]) each.close();
  await running.stop();
});

/** The program itself, as somebody runs it outside of the cluster. */
function startController(): { end(): Promise<void> } {
  const main = join(import.meta.dirname, "..", "..", "src", "cli", "main.ts");
  const flags = ["controller", "--kubeconfig", running.management.kubeconfig, "--install-definitions", "--log-level", "warn"];
  const child = spawn(process.execPath, [main, ...flags], { stdio: ["ignore", "inherit", "inherit"] });
  const exited = once(child, "exit");
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  return {
    async end() {
      child.kill();
      await exited;
      process.removeListener("exit", kill);
    },
  };
}

const kubeconfigs = running.managed.map(({ kubeconfig }) => readFileSync(kubeconfig, "utf8"));

/** How clusters join a fleet and leave it, in each of the two ways. */
const ways = {
  Sveltos: {
    kind: gvkOf("SveltosCluster"),
    async join() {
      for (const [index, [name, labels]] of Object.entries(clusters).entries()) {
        await register(hub, { namespace, name, kubeconfig: kubeconfigs[index]!, labels }, signal);
      }
    },
    async leave() {
      for (const name of Object.keys(clusters)) await deregister(hub, { namespace, name }, signal);
    },
  },
  Capi: {
    kind: { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster" },
    async join() {
      for (const [index, [name, labels]] of Object.entries(clusters).entries()) {
        const [secret, cluster] = capiObjects(name, labels, kubeconfigs[index]!);
        await hub.create(secret);
        await hub.create(cluster);
      }
    },
    async leave() {
      for (const name of Object.keys(clusters)) for (const object of capiObjects(name, {}, "")) await hub.delete(refOf(object));
    },
  },
} as const;

function capiObjects(name: string, labels: Readonly<Record<string, string>>, kubeconfig: string): readonly [KubeObject, KubeObject] {
  const value = Buffer.from(kubeconfig).toString("base64");
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: `${name}-kubeconfig`, namespace }, data: { value } },
    {
      apiVersion: "cluster.x-k8s.io/v1beta1",
      kind: "Cluster",
      metadata: { name, namespace, labels },
      spec: {},
      status: { controlPlaneReady: true },
    },
  ];
}

for (const [type, { kind, join: enter, leave }] of Object.entries(ways)) {
  const ground: Ground = {
    hub,
    managed: [one, two],
    relabel: async (labels) =>
      void (await hub.patch({ ...kind, namespace, name: "one" }, { type: "merge", patch: { metadata: { labels } } })),
    repository: `http://127.0.0.1:${(charts.address() as AddressInfo).port}`,
    until: (work) => work,
    settle: () => sleep(clock, 1000, signal),
    signal,
  };
  test(`clusters join as ${type}`, limits, enter);
  for (const { name, play } of examples) test(`${name} (${type})`, limits, () => play(ground));
  test(`clusters leave as ${type}`, limits, leave);
}

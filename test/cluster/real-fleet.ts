/**
 * A fleet fixture of real control planes: one management cluster and two managed ones. Sluice runs as its users run it, with
 * only the rights that `sluice controller manifests` grants.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gvkOf } from "../../src/sveltos/api/index.ts";
import { RealClock, sleep } from "../../src/core/clock/index.ts";
import { deregister, generateKubeconfig, register } from "../../src/sveltos/fleet/index.ts";
import { openCluster, waitForKind, type Cluster, type OpenedCluster } from "../../src/kube/index.ts";
import { refOf, type KubeObject } from "../../src/core/object/index.ts";
import type { Behaviour } from "../../src/embedded/index.ts";
import { readManifests } from "../../src/lang/yaml/index.ts";
import { kyvernoRepository } from "../support/kyverno-chart.ts";
import type { FleetFixture } from "../sveltos/fleet-fixture.ts";
import { testFolder, runSluice } from "../support/command-line.ts";
import { capiCrd } from "../support/embedded-fleet.ts";
import { startKubelet } from "./kubelet.ts";
import { startSluice, type SluiceProcess } from "./sluice-process.ts";
import { startFleet, type RunningFleet } from "./start-cluster.ts";
import { kubernetesVersion } from "./toolchain.ts";

const namespace = "mgmt";
const labels = { one: { env: "fv" }, two: { dep: "eng" } } as const;
const names = ["one", "two"] as const;
const soon = { fixed: 200 };
/** How long work may take. */
const timeoutMs = 40_000;

/** There is no provider of load balancers: the example writes the addresses. Jobs complete quickly. */
const behaviour: Behaviour = {
  rules: [
    { match: { kind: "Service" }, address: { never: "the example writes it" } },
    { match: { kind: "Job" }, pull: { after: soon }, start: soon, run: { after: soon }, result: { exitCode: 0 } },
    { match: {}, pull: { after: soon }, start: soon, ready: { after: soon }, run: { never: "" }, terminate: { after: soon, exitCode: 0 } },
  ],
};

type Type = "Sveltos" | "Capi";
const clusterKinds = {
  Sveltos: gvkOf("SveltosCluster"),
  Capi: { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster" },
} as const;

/** Real control planes and the controller that manages them. Clusters can be registered as either type. */
export class RealFleet {
  readonly #running: RunningFleet;
  readonly #opened: readonly OpenedCluster[];
  readonly #stop = new AbortController();
  readonly #folder = testFolder("addons");
  readonly #clock = new RealClock();
  readonly #closers: (() => Promise<unknown>)[] = [];
  #controllers: SluiceProcess[] = [];
  #repository = "";

  private constructor(running: RunningFleet, opened: readonly OpenedCluster[]) {
    this.#running = running;
    this.#opened = opened;
  }

  static async open(program: string): Promise<RealFleet> {
    const running = await startFleet(program);
    const opened = await Promise.all([running.management, ...running.managed].map(({ kubeconfig }) => openCluster({ kubeconfig })));
    const fixture = new RealFleet(running, opened);
    await fixture.#startAll();
    return fixture;
  }

  async close(): Promise<void> {
    await Promise.all(this.#controllers.map((controller) => controller.end()));
    this.#stop.abort();
    await Promise.all(this.#closers.map((close) => close()));
    for (const { close } of this.#opened) close();
    await this.#running.stop();
  }

  /** Registers both clusters as objects of this type. */
  async registerClusters(type: Type): Promise<void> {
    for (const name of names) await this.#join(type, name, labels[name]);
  }

  async deregisterClusters(type: Type): Promise<void> {
    for (const name of names) await this.#leave(type, name);
  }

  /** The fixture while the clusters are registered as this type. */
  fixtureFor(type: Type): FleetFixture {
    const { signal } = this.#stop;
    return {
      hub: this.#hub,
      managed: [this.#managed(0), this.#managed(1)],
      ids: [
        { type, namespace, name: "one" },
        { type, namespace, name: "two" },
      ],
      signal,
      repository: this.#repository,
      until: (work) => this.#until(work),
      settle: () => sleep(this.#clock, 1000, signal),
      pause: () => sleep(this.#clock, 50, signal),
      relabel: async (changed) =>
        void (await this.#hub.patch(
          { ...clusterKinds[type], namespace, name: "one" },
          { type: "merge", patch: { metadata: { labels: changed } } },
        )),
      outage: (meanwhile) => this.#running.managed[0]!.restartApiServer(meanwhile),
      deregisterSecond: () => this.#leave(type, "two"),
      registerSecond: (clusterLabels) => this.#join(type, "two", clusterLabels),
      startAgent: () => this.#agent(),
      addReplica: () => this.#reinforce(),
      killLeader: () => this.#kill(),
      showEvents: () => this.#shown(),
      metrics: async () => (await Promise.all(this.#controllers.map((controller) => controller.page("/metrics")))).join("\n"),
    };
  }

  /** Registers the second cluster again, as a service account without rights. Returns the function that grants all rights. */
  async registerWithoutRights(name: string): Promise<() => Promise<void>> {
    const { signal } = this.#stop;
    const cluster = this.#managed(1);
    await cluster.create({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name, namespace: "default" } });
    const { server } = this.#running.managed[1]!;
    const kubeconfig = await generateKubeconfig(cluster, { server, namespace: "default", serviceAccount: name, signal });
    await register(this.#hub, { namespace, name, kubeconfig, labels: { who: name } }, signal);
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" };
    const subjects = [{ kind: "ServiceAccount", name, namespace: "default" }];
    const binding = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRoleBinding", metadata: { name }, roleRef, subjects };
    return async () => void (await cluster.create(binding));
  }

  /** Registers the second cluster again, with an expired token. */
  async registerWithExpiredToken(name: string): Promise<void> {
    const kubeconfig = JSON.parse(readFileSync(this.#running.managed[1]!.kubeconfig, "utf8")) as { users: object[] };
    kubeconfig.users = kubeconfig.users.map((user) => ({ ...user, user: { token: "expired" } }));
    await register(this.#hub, { namespace, name, kubeconfig: JSON.stringify(kubeconfig), labels: { who: name } }, this.#stop.signal);
  }

  async deregister(name: string): Promise<void> {
    await deregister(this.#hub, { namespace, name }, this.#stop.signal);
  }

  get #hub(): Cluster {
    return this.#opened[0]!.cluster;
  }

  #managed(index: 0 | 1): Cluster {
    return this.#opened[index + 1]!.cluster;
  }

  async #until<T>(work: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const cancel = this.#clock.after(timeoutMs, () => late.reject(new Error(`it has not finished within ${timeoutMs / 1000} s`)));
    try {
      return await Promise.race([work, late.promise]);
    } finally {
      cancel();
    }
  }

  async #startAll(): Promise<void> {
    const kubelets = await Promise.all(
      this.#running.managed.map(({ credentials }, index) =>
        startKubelet({ cluster: this.#managed(index as 0 | 1), credentials, behaviour, version: kubernetesVersion, fail: logKubeletError }),
      ),
    );
    this.#closers.push(...kubelets.map((kubelet) => () => kubelet.stop()));
    const charts = createServer(
      ({ url = "" }, answer) => void answer.writeHead(url in kyvernoRepository ? 200 : 404).end(kyvernoRepository[url]),
    );
    charts.listen(0, "127.0.0.1");
    await once(charts, "listening");
    this.#closers.push(async () => charts.close());
    this.#repository = `http://127.0.0.1:${(charts.address() as AddressInfo).port}`;

    await this.#install(this.#hub, "controller", "manifests");
    await this.#hub.create({ apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
    await this.#hub.create(capiCrd);
    for (const kind of Object.values(clusterKinds)) await waitForKind(this.#hub, kind, this.#stop.signal);
    await this.#reinforce();
  }

  /** Applies the manifests that install Sluice, except for Deployments: there is no image. */
  async #install(cluster: Cluster, ...command: readonly string[]): Promise<void> {
    const { out } = await runSluice(...command);
    const { manifests } = readManifests(out, "manifests");
    for (const { object } of manifests) if (object.kind !== "Deployment") await cluster.apply(object, { manager: "kubectl", force: true });
  }

  /** Writes the kubeconfig of an installed service account to a file. */
  async #account(cluster: Cluster, server: string, serviceAccount: string): Promise<string> {
    const { signal } = this.#stop;
    return this.#folder.file(serviceAccount, await generateKubeconfig(cluster, { server, serviceAccount, signal }));
  }

  async #reinforce(): Promise<void> {
    const { server } = this.#running.management;
    const controller = await startSluice("controller", await this.#account(this.#hub, server, "sluice-controller"));
    this.#controllers.push(controller);
    await this.#until(controller.until("/readyz", /^ok/));
    const count = new RegExp(`^sluice_replicas ${this.#controllers.length}$`, "m");
    await Promise.all(this.#controllers.map((each) => this.#until(each.until("/metrics", count))));
  }

  async #kill(): Promise<void> {
    const pages = await Promise.all(this.#controllers.map((controller) => controller.page("/metrics")));
    const leader = this.#controllers[pages.findIndex((page) => /^sluice_leader 1$/m.test(page))]!;
    await leader.kill();
    this.#controllers = this.#controllers.filter((controller) => controller !== leader);
  }

  async #agent(): Promise<() => Promise<void>> {
    const cluster = this.#managed(0);
    await this.#install(cluster, "controller", "manifests", "--agent");
    const agent = await startSluice("agent", await this.#account(cluster, this.#running.managed[0]!.server, "sluice-agent"));
    await this.#until(agent.until("/readyz", /^ok/));
    return async () => void (await agent.end());
  }

  async #shown(): Promise<string> {
    return (await runSluice("show", "events", "-o", "json", "--kubeconfig", this.#running.management.kubeconfig)).out;
  }

  async #join(type: Type, name: (typeof names)[number], clusterLabels: Readonly<Record<string, string>>): Promise<void> {
    const kubeconfig = readFileSync(this.#running.managed[names.indexOf(name)]!.kubeconfig, "utf8");
    if (type === "Sveltos") await register(this.#hub, { namespace, name, kubeconfig, labels: clusterLabels }, this.#stop.signal);
    else for (const object of capiObjects(name, clusterLabels, kubeconfig)) await this.#hub.create(object);
  }

  async #leave(type: Type, name: string): Promise<void> {
    if (type === "Sveltos") await deregister(this.#hub, { namespace, name }, this.#stop.signal);
    else for (const object of capiObjects(name, {}, "")) await this.#hub.delete(refOf(object));
  }
}

function logKubeletError(error: unknown): void {
  process.stderr.write(`the kubelet: ${String(error)}\n`);
}

function capiObjects(name: string, clusterLabels: Readonly<Record<string, string>>, kubeconfig: string): readonly KubeObject[] {
  const value = Buffer.from(kubeconfig).toString("base64");
  const { group, version, kind } = clusterKinds.Capi;
  const metadata = { name, namespace, labels: clusterLabels };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: `${name}-kubeconfig`, namespace }, data: { value } },
    { apiVersion: `${group}/${version}`, kind, metadata, spec: {}, status: { controlPlaneReady: true } },
  ];
}

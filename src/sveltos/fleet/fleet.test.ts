import assert from "node:assert/strict";
import { test } from "node:test";
import { sveltosCrds, gvkOf } from "../api/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { fieldsAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { ShardCoordinator } from "../../reconcile/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import {
  deregister,
  embeddedKubeconfig,
  Fleet,
  inProcessOpener,
  isClusterReady,
  runClusterSetController,
  readyClusters,
  register,
  shardFleet,
  type FleetEvent,
} from "./index.ts";

const never = new AbortController().signal;
const sveltosCluster = (name: string) => ({ ...gvkOf("SveltosCluster"), namespace: "mgmt", name });

/** A management cluster with our kinds, and managed ones that can be cut off: then requests to them are refused, hang or get a 401. */
class Lab {
  readonly clock = new VirtualClock();
  readonly hub: Cluster;
  readonly stop = new AbortController();
  readonly trouble = new Map<string, "refused" | "hanging" | 401>();
  readonly log: string[] = [];
  readonly fleet: Fleet;
  probes = 0;
  readonly #managed = new Map<string, Cluster>();

  private constructor(options: { manageAll?: boolean }) {
    this.hub = connect(startEmbeddedCluster({ clock: this.clock }).exchange, { clock: this.clock });
    for (const name of ["c1", "c2", "c3"]) this.#managed.set(name, this.#start(name));
    this.fleet = new Fleet(this.hub, { open: inProcessOpener((name) => this.#managed.get(name)), ...options });
  }

  static async open(options: { manageAll?: boolean } = {}): Promise<Lab> {
    const lab = new Lab(options);
    for (const definition of sveltosCrds()) await lab.hub.create(definition);
    await lab.clock.advance(1000);
    return lab;
  }

  #start(name: string): Cluster {
    const { exchange } = startEmbeddedCluster({ clock: this.clock });
    return connect(
      (request) => {
        if (request.path === "/version") this.probes++;
        const trouble = this.trouble.get(name);
        if (trouble === "refused") return Promise.reject(new Error("connect ECONNREFUSED"));
        if (trouble === "hanging")
          return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
        if (trouble === 401) return Promise.resolve({ status: 401, headers: {}, body: ["{}"] });
        return exchange(request);
      },
      { clock: this.clock },
    );
  }

  async run(): Promise<void> {
    void this.fleet.run(this.stop.signal);
    void this.#listen();
    await this.clock.advance(100);
  }

  async #listen(): Promise<void> {
    for await (const event of this.fleet.events(this.stop.signal)) this.log.push(lineOf(event));
  }

  register(name: string, labels = {}, kubeconfig = embeddedKubeconfig(name)): Promise<unknown> {
    return register(this.hub, { namespace: "mgmt", name, kubeconfig, labels }, never);
  }

  /** What was told since the last time. */
  async news(afterMs = 100): Promise<string[]> {
    await this.clock.advance(afterMs);
    return this.log.splice(0);
  }

  async status(name: string): Promise<unknown> {
    return fieldsAt(await this.hub.get(sveltosCluster(name)), "status");
  }
}

function lineOf(event: FleetEvent): string {
  if (event.type === "synced") return "synced";
  const { type, cluster } = event;
  return `${type} ${cluster.managed.name}${type === "lost" ? `: ${event.because}` : ""}`;
}

test("a cluster that is registered becomes ready, and its status says so", async () => {
  const lab = await Lab.open();
  await lab.run();
  await lab.register("c1", { env: "fv" });
  assert.deepEqual(await lab.news(), ["synced", "added c1", "changed c1", "ready c1"]);
  const { version, ...rest } = (await lab.status("c1")) as { version: string };
  assert.match(version, /^v1\.\d+\.\d+/);
  assert.deepEqual(rest, { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  const object = await lab.hub.get(sveltosCluster("c1"));
  assert.equal(object.metadata.labels?.["projectsveltos.io/k8s-version"], /^v[\d.]+/.exec(version)?.[0]);
  const [cluster] = readyClusters(lab.fleet);
  assert.equal((await cluster!.connection!.cluster.list({ group: "", version: "v1", kind: "Namespace" })).items.length > 0, true);
});

const names = (list: unknown) => (Array.isArray(list) ? list.map((ref) => stringAt(ref, "name")) : []);

test("clusters that were there before are told first, and nothing is written that is there already", async () => {
  const lab = await Lab.open();
  await lab.register("c1");
  await lab.register("c2");
  await lab.run();
  const news = await lab.news();
  assert.deepEqual(news.slice(0, 3), ["added c1", "added c2", "synced"]);
  assert.deepEqual(lab.fleet.clusters().map(isClusterReady), [true, true]);
  const { resourceVersion } = (await lab.hub.get(sveltosCluster("c1"))).metadata;
  await lab.news(300_000);
  assert.equal((await lab.hub.get(sveltosCluster("c1"))).metadata.resourceVersion, resourceVersion);
});

test("labels that change are told, without asking the cluster", async () => {
  const lab = await Lab.open();
  await lab.register("c1", { env: "fv" });
  await lab.run();
  await lab.news();
  const before = lab.probes;
  await lab.register("c1", { env: "prod" });
  assert.deepEqual(await lab.news(), ["changed c1"]);
  assert.equal(lab.fleet.managedClusters()[0]!.labels["env"], "prod");
  assert.equal(lab.probes, before);
});

const garbage: Readonly<Record<string, readonly [kubeconfig: string, because: RegExp]>> = {
  "is garbage": ["::: no yaml [", /c1/],
  "leads nowhere": [embeddedKubeconfig("nowhere"), /leads to embedded:\/\/nowhere, which is not here/],
  "has no cluster": ["kind: Config", /leads to no server/],
};

for (const [what, [kubeconfig, because]] of Object.entries(garbage)) {
  test(`a kubeconfig that ${what} is told in the status, and costs the others nothing; a new one is taken at once`, async () => {
    const lab = await Lab.open();
    await lab.run();
    await lab.register("c1", {}, kubeconfig);
    await lab.register("c2");
    await lab.news();
    assert.deepEqual(
      readyClusters(lab.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const message = stringAt(await lab.status("c1"), "failureMessage", "");
    assert.match(message, because);
    await lab.register("c1");
    await lab.news();
    assert.equal(readyClusters(lab.fleet).length, 2);
    assert.equal(stringAt(await lab.status("c1"), "failureMessage"), undefined);
  });
}

test("a Secret that is missing is waited for", async () => {
  const lab = await Lab.open();
  await lab.run();
  await lab.register("c1");
  await lab.news();
  await lab.hub.delete({ group: "", version: "v1", kind: "Secret", namespace: "mgmt", name: "c1-sveltos-kubeconfig" });
  const news = await lab.news();
  assert.deepEqual(news, ["lost c1: there is no Secret mgmt/c1-sveltos-kubeconfig: create it with the cluster's kubeconfig"]);
  await lab.register("c1");
  assert.deepEqual(await lab.news(), ["ready c1"]);
});

const secret = (name: string, key: string): KubeObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace: "default" },
  data: { [key]: Buffer.from(embeddedKubeconfig("c1")).toString("base64"), zzz: "" },
});
const cluster = (name: string, spec: object): KubeObject => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "SveltosCluster",
  metadata: { name, namespace: "default" },
  spec,
});

test("a Secret under another name and key, and one with its first key", async () => {
  const lab = await Lab.open();
  await lab.run();
  await lab.hub.create(secret("mine", "value"));
  await lab.hub.create(cluster("named", { kubeconfigName: "mine", kubeconfigKeyName: "value" }));
  await lab.hub.create(secret("first-sveltos-kubeconfig", "any"));
  await lab.hub.create(cluster("first", {}));
  await lab.hub.create(cluster("lacks", { kubeconfigName: "mine", kubeconfigKeyName: "other" }));
  await lab.news();
  assert.deepEqual(
    readyClusters(lab.fleet).map(({ managed }) => managed.name),
    ["first", "named"],
  );
  const lacks = lab.fleet.find("Sveltos/default/lacks")!;
  assert.equal(lacks.reachability.state === "unreachable" && lacks.reachability.because, "Secret default/mine has no key other");
});

for (const [trouble, because] of [
  ["refused", /ECONNREFUSED/],
  ["hanging", /no answer within 10 s/],
  [401, /credentials are not accepted/],
] as const) {
  test(`a cluster that is ${trouble}: counted, Down in its third minute, still ready by its word, and well again by itself`, async () => {
    const lab = await Lab.open();
    await lab.register("c1");
    await lab.register("c2");
    await lab.run();
    await lab.news();
    lab.trouble.set("c1", trouble);
    lab.fleet.probeNow("Sveltos/mgmt/c1");
    const [lost] = await lab.news(11_000);
    assert.match(lost!, because);
    assert.equal(stringAt(await lab.status("c1"), "connectionStatus"), "Healthy");
    await lab.news(240_000);
    assert.partialDeepStrictEqual(await lab.status("c1"), { ready: true, connectionStatus: "Down", connectionFailures: 3 });
    assert.deepEqual(
      readyClusters(lab.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const link = lab.fleet.find("Sveltos/mgmt/c1")!.connection;
    assert.equal(link!.signal.aborted, false);
    lab.trouble.clear();
    const news = await lab.news(90_000);
    assert.ok(news.includes("ready c1"), news.join());
    assert.equal(lab.fleet.find("Sveltos/mgmt/c1")!.connection, link);
    assert.partialDeepStrictEqual(await lab.status("c1"), { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  });
}

test("the kubeconfig of another cluster gives another link, and ends the old one", async () => {
  const lab = await Lab.open();
  await lab.register("c1");
  await lab.run();
  await lab.news();
  const { connection } = lab.fleet.find("Sveltos/mgmt/c1")!;
  await lab.register("c1", {}, embeddedKubeconfig("c2"));
  assert.deepEqual(await lab.news(), ["ready c1"]);
  assert.equal(connection!.signal.aborted, true);
  assert.notEqual(lab.fleet.find("Sveltos/mgmt/c1")!.connection, connection);
});

test("a cluster that is taken out is gone, and its link with it", async () => {
  const lab = await Lab.open();
  await lab.register("c1");
  await lab.run();
  await lab.news();
  const { connection } = lab.fleet.find("Sveltos/mgmt/c1")!;
  assert.equal(await deregister(lab.hub, { namespace: "mgmt", name: "c1" }, never), true);
  assert.equal((await lab.news()).at(-1), "gone c1");
  assert.equal(connection!.signal.aborted, true);
  assert.equal(await deregister(lab.hub, { namespace: "mgmt", name: "c1" }, never), false);
  assert.deepEqual((await lab.hub.list({ group: "", version: "v1", kind: "Secret" }, { namespace: "mgmt" })).items, []);
});

test("what is not built is refused by name, until it is taken back", async () => {
  const lab = await Lab.open();
  await lab.run();
  await lab.register("c1");
  await lab.news();
  const paused = (activeWindow: unknown) => lab.hub.patch(sveltosCluster("c1"), { type: "merge", patch: { spec: { activeWindow } } });
  await paused({ from: "0 8 * * *", to: "0 18 * * *" });
  await lab.news();
  assert.match(stringAt(await lab.status("c1"), "failureMessage", ""), /spec\.activeWindow/);
  assert.equal(readyClusters(lab.fleet).length, 0);
  await paused(null);
  await lab.news();
  assert.equal(readyClusters(lab.fleet).length, 1);
});

test("a Cluster of Cluster API counts when its control plane is up, also when its kind comes later", async () => {
  const lab = await Lab.open();
  await lab.run();
  const names = { plural: "clusters", singular: "cluster", kind: "Cluster", listKind: "ClusterList" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await lab.hub.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusters.cluster.x-k8s.io" },
    spec: { group: "cluster.x-k8s.io", scope: "Namespaced", names, versions: [{ name: "v1beta1", served: true, storage: true, schema }] },
  });
  await lab.clock.advance(5000);
  const metadata = { name: "prod", namespace: "default", labels: { env: "prod" } };
  const cluster = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", metadata };
  await lab.hub.create(cluster);
  const value = Buffer.from(embeddedKubeconfig("c3")).toString("base64");
  await lab.hub.create({ apiVersion: "v1", kind: "Secret", metadata: { name: "prod-kubeconfig", namespace: "default" }, data: { value } });
  assert.deepEqual(await lab.news(), ["synced", "added prod"]);
  await lab.hub.patch(
    { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster", namespace: "default", name: "prod" },
    { type: "merge", patch: { status: { conditions: [{ type: "ControlPlaneInitialized", status: "True" }] } } },
  );
  assert.deepEqual(await lab.news(), ["changed prod", "ready prod"]);
  assert.equal(lab.fleet.find("Capi/default/prod")?.managed.type, "Capi");
});

test("clusters that are shared out have a link where they are owned, and nowhere else", async () => {
  const lab = await Lab.open({ manageAll: false });
  for (const name of ["c1", "c2", "c3"]) await lab.register(name);
  const other = new Fleet(lab.hub, { open: inProcessOpener(() => lab.hub), manageAll: false });
  const fleets = [lab.fleet, other];
  const stop = new AbortController();
  const shards = fleets.map((fleet, index) => {
    const group = { namespace: "default", name: "fleet" };
    return new ShardCoordinator(lab.hub, { group, identity: `r${index}`, work: (key, signal) => fleet.manage(key, signal) });
  });
  for (const [index, fleet] of fleets.entries()) {
    void fleet.run(stop.signal);
    void shardFleet(fleet, shards[index]!, stop.signal);
  }
  await lab.clock.advance(5000);
  for (const [index, fleet] of fleets.entries()) {
    const linked = fleet
      .clusters()
      .filter(({ connection }) => connection !== undefined)
      .map(({ key }) => key);
    assert.deepEqual(linked, [...shards[index]!.owned()].toSorted());
  }
  assert.equal(fleets.flatMap(readyClusters).length, 3);
  await deregister(lab.hub, { namespace: "mgmt", name: "c2" }, never);
  await lab.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 2);
  assert.equal(shards.flatMap((each) => each.owned()).length, 2);
  stop.abort();
  await lab.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 0);
});

test("a ClusterSet selects so many of those that match, and another one when one is down", async () => {
  const lab = await Lab.open();
  for (const name of ["c1", "c2", "c3"]) await lab.register(name, { env: "fv" });
  await lab.run();
  void runClusterSetController(lab.hub, lab.fleet, lab.stop.signal);
  const spec = { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 2 };
  await lab.hub.create({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "ClusterSet", metadata: { name: "s" }, spec });
  const selected = async () => {
    const set = await lab.hub.get({ ...gvkOf("ClusterSet"), namespace: "", name: "s" });
    return [names(fieldsAt(set, "status")["matchingClusterRefs"]), names(fieldsAt(set, "status")["selectedClusterRefs"])];
  };
  await lab.news();
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c1", "c2"],
  ]);
  lab.trouble.set("c1", "refused");
  lab.fleet.probeNow("Sveltos/mgmt/c1");
  await lab.news(240_000);
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c2", "c3"],
  ]);
  await lab.register("c3", { env: "other" });
  await lab.news();
  assert.deepEqual(await selected(), [["c1", "c2"], ["c2"]]);
});

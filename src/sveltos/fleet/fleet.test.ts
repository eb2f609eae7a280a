import assert from "node:assert/strict";
import { test } from "node:test";
import { sveltosCrds, gvkOf } from "../api/index.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { connect, type Cluster, type WriteGate } from "../../kube/index.ts";
import type { Answer } from "../../core/exchange/index.ts";
import { fieldsAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
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

/** A management cluster with the CRDs, and managed clusters whose requests can be made to fail, hang or get a 401. */
class FleetFixture {
  readonly clock = new VirtualClock();
  readonly hub: Cluster;
  readonly stop = new AbortController();
  readonly failures = new Map<string, "refused" | "hanging" | 401>();
  readonly log: string[] = [];
  readonly fleet: Fleet;
  probes = 0;
  readonly #managed = new Map<string, Cluster>();

  private constructor(options: { manageAll?: boolean }) {
    this.hub = connect(startEmbeddedCluster({ clock: this.clock }).exchange, { clock: this.clock });
    for (const name of ["c1", "c2", "c3"]) this.#managed.set(name, this.#start(name));
    this.fleet = new Fleet(this.hub, { open: inProcessOpener((name) => this.#managed.get(name)), ...options });
  }

  static async open(options: { manageAll?: boolean } = {}): Promise<FleetFixture> {
    const fixture = new FleetFixture(options);
    for (const crd of sveltosCrds()) await fixture.hub.create(crd);
    await fixture.clock.advance(1000);
    return fixture;
  }

  #start(name: string): Cluster {
    const { exchange } = startEmbeddedCluster({ clock: this.clock });
    return connect(
      (request) => {
        if (request.path === "/version") this.probes++;
        const failure = this.failures.get(name);
        if (failure === "refused") return Promise.reject(new Error("connect ECONNREFUSED"));
        if (failure === "hanging")
          return new Promise((_, reject) => request.signal.addEventListener("abort", () => reject(request.signal.reason)));
        if (failure === 401) return Promise.resolve({ status: 401, headers: {}, body: ["{}"] });
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

  /** The events since the last call. */
  async events(afterMs = 100): Promise<string[]> {
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

test("a registered cluster becomes ready, in its status too", async () => {
  const fixture = await FleetFixture.open();
  await fixture.run();
  await fixture.register("c1", { env: "fv" });
  assert.deepEqual(await fixture.events(), ["synced", "added c1", "changed c1", "ready c1"]);
  const { version, ...rest } = (await fixture.status("c1")) as { version: string };
  assert.match(version, /^v1\.\d+\.\d+/);
  assert.deepEqual(rest, { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  const object = await fixture.hub.get(sveltosCluster("c1"));
  assert.equal(object.metadata.labels?.["projectsveltos.io/k8s-version"], /^v[\d.]+/.exec(version)?.[0]);
  const [cluster] = readyClusters(fixture.fleet);
  assert.equal((await cluster!.connection!.cluster.list({ group: "", version: "v1", kind: "Namespace" })).items.length > 0, true);
});

const names = (list: unknown) => (Array.isArray(list) ? list.map((ref) => stringAt(ref, "name")) : []);

test("existing clusters are listed before synced, and an unchanged status is not written", async () => {
  const fixture = await FleetFixture.open();
  await fixture.register("c1");
  await fixture.register("c2");
  await fixture.run();
  const events = await fixture.events();
  assert.deepEqual(events.slice(0, 3), ["added c1", "added c2", "synced"]);
  assert.deepEqual(fixture.fleet.clusters().map(isClusterReady), [true, true]);
  const { resourceVersion } = (await fixture.hub.get(sveltosCluster("c1"))).metadata;
  await fixture.events(300_000);
  assert.equal((await fixture.hub.get(sveltosCluster("c1"))).metadata.resourceVersion, resourceVersion);
});

test("a change of labels is an event, and needs no request to the cluster", async () => {
  const fixture = await FleetFixture.open();
  await fixture.register("c1", { env: "fv" });
  await fixture.run();
  await fixture.events();
  const before = fixture.probes;
  await fixture.register("c1", { env: "prod" });
  assert.deepEqual(await fixture.events(), ["changed c1"]);
  assert.equal(fixture.fleet.managedClusters()[0]!.labels["env"], "prod");
  assert.equal(fixture.probes, before);
});

const garbage: Readonly<Record<string, readonly [kubeconfig: string, because: RegExp]>> = {
  "is garbage": ["::: no yaml [", /c1/],
  "leads nowhere": [embeddedKubeconfig("nowhere"), /leads to embedded:\/\/nowhere, which is not here/],
  "has no cluster": ["kind: Config", /leads to no server/],
};

for (const [what, [kubeconfig, because]] of Object.entries(garbage)) {
  test(`a kubeconfig that ${what} is reported in the status and does not delay other clusters; a new one is used at once`, async () => {
    const fixture = await FleetFixture.open();
    await fixture.run();
    await fixture.register("c1", {}, kubeconfig);
    await fixture.register("c2");
    await fixture.events();
    assert.deepEqual(
      readyClusters(fixture.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const message = stringAt(await fixture.status("c1"), "failureMessage", "");
    assert.match(message, because);
    await fixture.register("c1");
    await fixture.events();
    assert.equal(readyClusters(fixture.fleet).length, 2);
    assert.equal(stringAt(await fixture.status("c1"), "failureMessage"), undefined);
  });
}

test("a missing Secret is used as soon as it is created", async () => {
  const fixture = await FleetFixture.open();
  await fixture.run();
  await fixture.register("c1");
  await fixture.events();
  await fixture.hub.delete({ group: "", version: "v1", kind: "Secret", namespace: "mgmt", name: "c1-sveltos-kubeconfig" });
  const events = await fixture.events();
  assert.deepEqual(events, ["lost c1: there is no Secret mgmt/c1-sveltos-kubeconfig: create it with the cluster's kubeconfig"]);
  await fixture.register("c1");
  assert.deepEqual(await fixture.events(), ["ready c1"]);
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
  const fixture = await FleetFixture.open();
  await fixture.run();
  await fixture.hub.create(secret("mine", "value"));
  await fixture.hub.create(cluster("named", { kubeconfigName: "mine", kubeconfigKeyName: "value" }));
  await fixture.hub.create(secret("first-sveltos-kubeconfig", "any"));
  await fixture.hub.create(cluster("first", {}));
  await fixture.hub.create(cluster("lacks", { kubeconfigName: "mine", kubeconfigKeyName: "other" }));
  await fixture.events();
  assert.deepEqual(
    readyClusters(fixture.fleet).map(({ managed }) => managed.name),
    ["first", "named"],
  );
  const lacks = fixture.fleet.find("Sveltos/default/lacks")!;
  assert.equal(lacks.reachability.state === "unreachable" && lacks.reachability.because, "Secret default/mine has no key other");
});

for (const [failure, firstFailedMs, because] of [
  ["refused", 0, /ECONNREFUSED/],
  ["hanging", 10_000, /no answer within 10 s/],
  [401, 0, /credentials are not accepted/],
] as const) {
  test(`a cluster that is ${failure} is Down 30 s after the first failed probe, stays ready, and is back after the first good one`, async () => {
    const fixture = await FleetFixture.open();
    await fixture.register("c1");
    await fixture.register("c2");
    await fixture.run();
    await fixture.events();
    fixture.failures.set("c1", failure);
    fixture.fleet.probeNow("Sveltos/mgmt/c1");
    const [lost] = await fixture.events(firstFailedMs + 1000);
    assert.match(lost!, because);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { connectionStatus: "Healthy", connectionFailures: 1 });
    await fixture.events(29_000);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { ready: true, connectionStatus: "Down", connectionFailures: 3 });
    const { resourceVersion } = (await fixture.hub.get(sveltosCluster("c1"))).metadata;
    await fixture.events(600_000);
    assert.equal((await fixture.hub.get(sveltosCluster("c1"))).metadata.resourceVersion, resourceVersion, "it is not written again");
    assert.deepEqual(
      readyClusters(fixture.fleet).map(({ managed }) => managed.name),
      ["c2"],
    );
    const link = fixture.fleet.find("Sveltos/mgmt/c1")!.connection;
    assert.equal(link!.signal.aborted, false);
    fixture.failures.clear();
    // A probe that hangs already ends by its time limit.
    const events = await fixture.events(firstFailedMs + 5000);
    assert.ok(events.includes("ready c1"), events.join());
    assert.equal(fixture.fleet.find("Sveltos/mgmt/c1")!.connection, link);
    assert.partialDeepStrictEqual(await fixture.status("c1"), { ready: true, connectionStatus: "Healthy", connectionFailures: 0 });
  });
}

test("a cluster that fails without a request to it is noticed by the next probe", async () => {
  const fixture = await FleetFixture.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  fixture.failures.set("c1", "refused");
  await fixture.events(70_000);
  assert.partialDeepStrictEqual(await fixture.status("c1"), { connectionStatus: "Down" });
});

test("replicas that hand an unreachable cluster on count its failures on", async () => {
  const fixture = await FleetFixture.open({ manageAll: false });
  await fixture.register("c1");
  await fixture.run();
  const key = "Sveltos/mgmt/c1";
  const counts: string[] = [];
  for (const seconds of [5, 8, 8, 8]) {
    const owning = new AbortController();
    void fixture.fleet.manage(key, owning.signal);
    await fixture.events(1000);
    fixture.failures.set("c1", "refused");
    fixture.fleet.probeNow(key);
    await fixture.events(seconds * 1000);
    const status = await fixture.status("c1");
    counts.push(`${numberAt(status, "connectionFailures")} ${stringAt(status, "connectionStatus")}`);
    owning.abort();
    await fixture.events();
  }
  assert.deepEqual(counts, ["1 Healthy", "2 Healthy", "3 Down", "3 Down"]);
});

test("the kubeconfig of another cluster opens another connection and closes the old one", async () => {
  const fixture = await FleetFixture.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const { connection } = fixture.fleet.find("Sveltos/mgmt/c1")!;
  await fixture.register("c1", {}, embeddedKubeconfig("c2"));
  assert.deepEqual(await fixture.events(), ["ready c1"]);
  assert.equal(connection!.signal.aborted, true);
  assert.notEqual(fixture.fleet.find("Sveltos/mgmt/c1")!.connection, connection);
});

test("a deregistered cluster is gone, and its connection is closed", async () => {
  const fixture = await FleetFixture.open();
  await fixture.register("c1");
  await fixture.run();
  await fixture.events();
  const { connection } = fixture.fleet.find("Sveltos/mgmt/c1")!;
  assert.equal(await deregister(fixture.hub, { namespace: "mgmt", name: "c1" }, never), true);
  assert.equal((await fixture.events()).at(-1), "gone c1");
  assert.equal(connection!.signal.aborted, true);
  assert.equal(await deregister(fixture.hub, { namespace: "mgmt", name: "c1" }, never), false);
  assert.deepEqual((await fixture.hub.list({ group: "", version: "v1", kind: "Secret" }, { namespace: "mgmt" })).items, []);
});

test("a field that is not built is refused by name, until it is removed", async () => {
  const fixture = await FleetFixture.open();
  await fixture.run();
  await fixture.register("c1");
  await fixture.events();
  const paused = (activeWindow: unknown) => fixture.hub.patch(sveltosCluster("c1"), { type: "merge", patch: { spec: { activeWindow } } });
  await paused({ from: "0 8 * * *", to: "0 18 * * *" });
  await fixture.events();
  assert.match(stringAt(await fixture.status("c1"), "failureMessage", ""), /spec\.activeWindow/);
  assert.equal(readyClusters(fixture.fleet).length, 0);
  await paused(null);
  await fixture.events();
  assert.equal(readyClusters(fixture.fleet).length, 1);
});

test("a Cluster of Cluster API is ready when its control plane is initialized, even if its CRD is created later", async () => {
  const fixture = await FleetFixture.open();
  await fixture.run();
  const names = { plural: "clusters", singular: "cluster", kind: "Cluster", listKind: "ClusterList" };
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  await fixture.hub.create({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "clusters.cluster.x-k8s.io" },
    spec: { group: "cluster.x-k8s.io", scope: "Namespaced", names, versions: [{ name: "v1beta1", served: true, storage: true, schema }] },
  });
  await fixture.clock.advance(5000);
  const metadata = { name: "prod", namespace: "default", labels: { env: "prod" } };
  const cluster = { apiVersion: "cluster.x-k8s.io/v1beta1", kind: "Cluster", metadata };
  await fixture.hub.create(cluster);
  const value = Buffer.from(embeddedKubeconfig("c3")).toString("base64");
  await fixture.hub.create({
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: "prod-kubeconfig", namespace: "default" },
    data: { value },
  });
  assert.deepEqual(await fixture.events(), ["synced", "added prod"]);
  await fixture.hub.patch(
    { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster", namespace: "default", name: "prod" },
    { type: "merge", patch: { status: { conditions: [{ type: "ControlPlaneInitialized", status: "True" }] } } },
  );
  assert.deepEqual(await fixture.events(), ["changed prod", "ready prod"]);
  assert.equal(fixture.fleet.find("Capi/default/prod")?.managed.type, "Capi");
});

test("in a sharded fleet only the replica that owns a cluster has a connection", async () => {
  const fixture = await FleetFixture.open({ manageAll: false });
  for (const name of ["c1", "c2", "c3"]) await fixture.register(name);
  const other = new Fleet(fixture.hub, { open: inProcessOpener(() => fixture.hub), manageAll: false });
  const fleets = [fixture.fleet, other];
  const stop = new AbortController();
  const shards = fleets.map((fleet, index) => {
    const group = { namespace: "default", name: "fleet" };
    return new ShardCoordinator(fixture.hub, { group, identity: `r${index}`, work: (key, signal) => fleet.manage(key, signal) });
  });
  for (const [index, fleet] of fleets.entries()) {
    void fleet.run(stop.signal);
    void shardFleet(fleet, shards[index]!, stop.signal);
  }
  await fixture.clock.advance(5000);
  for (const [index, fleet] of fleets.entries()) {
    const linked = fleet
      .clusters()
      .filter(({ connection }) => connection !== undefined)
      .map(({ key }) => key);
    assert.deepEqual(linked, [...shards[index]!.owned()].toSorted());
  }
  assert.equal(fleets.flatMap(readyClusters).length, 3);
  await deregister(fixture.hub, { namespace: "mgmt", name: "c2" }, never);
  await fixture.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 2);
  assert.equal(shards.flatMap((each) => each.owned()).length, 2);
  stop.abort();
  await fixture.clock.advance(1000);
  assert.equal(fleets.flatMap(readyClusters).length, 0);
});

test("a ClusterSet selects maxReplicas matching clusters, and replaces one that is Down", async () => {
  const fixture = await FleetFixture.open();
  for (const name of ["c1", "c2", "c3"]) await fixture.register(name, { env: "fv" });
  await fixture.run();
  void runClusterSetController(fixture.hub, fixture.fleet, fixture.stop.signal);
  const spec = { clusterSelector: { matchLabels: { env: "fv" } }, maxReplicas: 2 };
  await fixture.hub.create({ apiVersion: "lib.projectsveltos.io/v1beta1", kind: "ClusterSet", metadata: { name: "s" }, spec });
  const selected = async () => {
    const set = await fixture.hub.get({ ...gvkOf("ClusterSet"), namespace: "", name: "s" });
    return [names(fieldsAt(set, "status")["matchingClusterRefs"]), names(fieldsAt(set, "status")["selectedClusterRefs"])];
  };
  await fixture.events();
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c1", "c2"],
  ]);
  fixture.failures.set("c1", "refused");
  fixture.fleet.probeNow("Sveltos/mgmt/c1");
  await fixture.events(240_000);
  assert.deepEqual(await selected(), [
    ["c1", "c2", "c3"],
    ["c2", "c3"],
  ]);
  await fixture.register("c3", { env: "other" });
  await fixture.events();
  assert.deepEqual(await selected(), [["c1", "c2"], ["c2"]]);
});

test("a replica that does not own a cluster any more cannot write to it, at whatever point it wakes up", async () => {
  const fixture = await FleetFixture.open({ manageAll: false });
  await fixture.register("c1");
  const gates: WriteGate[] = [];
  const open = inProcessOpener(() => fixture.hub);
  let isOwned = true;
  const fleet = new Fleet(fixture.hub, {
    open(kubeconfig, title, writeGate) {
      if (writeGate !== undefined) gates.push(writeGate);
      return open(kubeconfig, title);
    },
    manageAll: false,
    isOwned: (key) => isOwned && key === "Sveltos/mgmt/c1",
  });
  void fleet.run(fixture.stop.signal);
  const handOver = new AbortController();
  let isHandedOver = false;
  void fleet.manage("Sveltos/mgmt/c1", handOver.signal).then(() => (isHandedOver = true));
  await fixture.clock.advance(100);
  const answer = Promise.withResolvers<Answer>();
  const write = gates[0]!.guard(() => answer.promise, fixture.clock);
  const request = { method: "PATCH", path: "/", headers: {}, signal: fixture.stop.signal };
  const writing = write(request);
  isOwned = false;
  await assert.rejects(write(request), /nothing is written to mgmt\/c1 any more: this replica has not renewed its Lease in time/);
  assert.equal(fleet.find("Sveltos/mgmt/c1")!.connection!.signal.aborted, true, "its work ends as one that is not its own any more");
  handOver.abort(new Error("it goes to another replica"));
  await fixture.clock.advance(1000);
  assert.equal(isHandedOver, false, "what was sent may still arrive");
  answer.resolve({ status: 200, headers: {}, body: ["{}"] });
  await writing;
  await fixture.clock.advance(0);
  assert.equal(isHandedOver, true);
  fixture.stop.abort();
});

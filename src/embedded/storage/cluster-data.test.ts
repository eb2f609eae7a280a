import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { integerOf, type KubeObject } from "../../core/object/index.ts";
import { connect, type Cluster } from "../../kube/index.ts";
import { ClusterData, startEmbeddedCluster } from "../index.ts";
import { ObjectStorage, type DataLog } from "./index.ts";
import { widgetCrd } from "../../../test/support/widget-crd.ts";

/** A log in memory. `full` refuses records, and `unsynced` holds answers back until it resolves. */
class MemoryLog implements DataLog {
  texts: string[] = [];
  full = false;
  unsynced: Promise<void> | undefined;

  records() {
    return this.texts.map((text, at) => ({ text, place: `record ${at}` }));
  }

  begin(snapshot: () => Iterable<string>): void {
    if (this.texts.length === 0) this.texts = [...snapshot()];
  }

  append(record: string): void {
    if (this.full) throw Object.assign(new Error("no room"), { isFull: true });
    this.texts.push(record);
  }

  sync() {
    return this.unsynced;
  }

  /** What a snapshot now would hold. */
  compact(): void {
    const clock = new VirtualClock();
    const data = new ClusterData(this);
    this.texts = [];
    data.begin(clock);
  }
}

/** A cluster on a log, as one process after another has it. Each run goes on where the time of the last one ended. */
class Runs {
  readonly log = new MemoryLog();
  clock = new VirtualClock();
  cluster: Cluster;
  #stop: () => void;

  constructor() {
    [this.cluster, this.#stop] = this.#start();
  }

  #start(): [Cluster, () => void] {
    const data = new ClusterData(this.log);
    assert.ok(data.time <= this.clock.now());
    const { exchange, stop } = startEmbeddedCluster({ clock: this.clock, data, random: Math.random });
    return [connect(exchange, { clock: this.clock }), stop];
  }

  /** Kills the process: nothing of it is left but its log. */
  kill(): void {
    this.#stop();
    [this.cluster, this.#stop] = this.#start();
  }

  create(object: object): Promise<KubeObject> {
    return this.cluster.create(object as KubeObject);
  }

  async state(): Promise<readonly string[]> {
    const all = [...new ClusterData(this.log).storage.all()];
    return all.map(({ resource, object }) => `${resource} ${JSON.stringify(object)}`).toSorted();
  }
}

const pods = { group: "", version: "v1", kind: "Pod" };
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const configMap = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...more } });
const metadata = { labels: { app: "web" } };
const template = { metadata, spec: { containers: [{ name: "app", image: "app" }] } };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { replicas: 2, selector: { matchLabels: metadata.labels }, template },
};
for (const compacted of [false, true]) {
  test(`a killed cluster goes on where it stood, from ${compacted ? "a snapshot" : "a log"}, and writes nothing for it`, async () => {
    const runs = new Runs();
    await runs.create(deployment);
    await runs.create(widgetCrd);
    await runs.clock.settle();
    await runs.create({ apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, size: 3 });
    const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: { type: "NodePort", ports: [{ port: 80 }] } };
    await runs.create(service);
    await runs.clock.settle();
    const running = (await runs.cluster.list(pods)).items.map(({ status }) => (status as { phase?: string }).phase);
    assert.deepEqual(running, ["Running", "Running"]);
    if (compacted) runs.log.compact();
    const before = await runs.state();
    runs.kill();
    const widget = { group: "example.com", version: "v1", kind: "Widget", namespace: "default", name: "w" };
    assert.equal((await runs.cluster.get(widget))["size"], 3, "custom resources are served from the first request on");
    await runs.clock.settle();
    assert.deepEqual(await runs.state(), before);
    await assert.rejects(
      runs.create({ ...service, metadata: { name: "t" }, spec: { ...service.spec, ports: [{ port: 80, nodePort: nodePortIn(before) }] } }),
      /provided port is already allocated/,
    );
  });
}

function nodePortIn(state: readonly string[]): number {
  return Number(/"nodePort":(\d+)/.exec(state.join())?.[1]);
}

test("controllers finish what a killed one has begun", async () => {
  const runs = new Runs();
  const owner = await runs.create(configMap("owner"));
  const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.metadata.uid }];
  await runs.create(configMap("owned", { ownerReferences }));
  await runs.create(deployment);
  await runs.cluster.delete({ ...configMaps, namespace: "default", name: "owner" });
  runs.kill();
  await runs.clock.settle();
  assert.deepEqual(
    (await runs.cluster.list(configMaps)).items.filter(({ metadata: { name } }) => name.startsWith("own")),
    [],
  );
  assert.equal((await runs.cluster.list(pods)).items.length, 2);
});

test("what was deleted stays deleted, and what every cluster must have comes back", async () => {
  const runs = new Runs();
  const standard = { group: "storage.k8s.io", version: "v1", kind: "StorageClass", namespace: "", name: "standard" };
  const view = { group: "rbac.authorization.k8s.io", version: "v1", kind: "ClusterRole", namespace: "", name: "view" };
  const node = { group: "", version: "v1", kind: "Node", namespace: "", name: "node-1" };
  for (const ref of [standard, view, node]) await runs.cluster.delete(ref);
  runs.kill();
  assert.equal(await runs.cluster.find(standard), undefined);
  for (const ref of [view, node]) assert.notEqual(await runs.cluster.find(ref), undefined);
});

test("a watch resumes after a restart as far back as the log goes, and is too old before that", async () => {
  const runs = new Runs();
  const first = await runs.create(configMap("a"));
  await runs.cluster.delete({ ...configMaps, namespace: "default", name: "a" });
  const revision = Number(first.metadata.resourceVersion);
  const since = (from: number) => new ClusterData(runs.log).storage.eventsSince(from, "configmaps")?.map(({ type }) => type);
  assert.deepEqual(since(revision), ["DELETED"]);
  runs.log.compact();
  assert.equal(since(revision), undefined);
  assert.equal(new ClusterData(runs.log).storage.eventsSince(revision, "secrets"), undefined, "of a resource without objects too");
  assert.deepEqual(since(revision + 1), []);
});

test("a full disk refuses writes, changes nothing, and lets controllers go on when it has room", async () => {
  const runs = new Runs();
  await runs.create(deployment);
  runs.log.full = true;
  await assert.rejects(runs.create(configMap("a")), /etcdserver: mvcc: database space exceeded: no room/);
  await runs.clock.advance(10_000);
  assert.deepEqual((await runs.cluster.list(pods)).items, []);
  runs.log.full = false;
  await runs.create(configMap("a"));
  await runs.clock.settle();
  const { items } = await runs.cluster.list(pods);
  assert.deepEqual(
    items.map(({ status }) => (status as { phase?: string }).phase),
    ["Running", "Running"],
  );
});

test("an answer, a read too, waits until what it tells of is on the disk", async () => {
  const runs = new Runs();
  const disk = Promise.withResolvers<void>();
  runs.log.unsynced = disk.promise;
  const answers: string[] = [];
  const created = runs.create(configMap("a")).then(() => answers.push("created"));
  const read = runs.cluster.list(configMaps).then(() => answers.push("read"));
  await runs.clock.advance(1000);
  assert.deepEqual(answers, []);
  disk.resolve();
  await Promise.all([created, read]);
});

test("integers beyond those of JavaScript are kept to the digit", () => {
  const log = new MemoryLog();
  const clock = new VirtualClock();
  const data = new ClusterData(log);
  data.begin(clock);
  const big = { ...configMap("a"), n: integerOf(9_007_199_254_740_993n), text: "[1234567890123456789]" } as KubeObject;
  data.storage.put("configmaps", big);
  const [stored] = new ClusterData(log).storage.list("configmaps");
  assert.equal(JSON.stringify(stored), JSON.stringify(data.storage.list("configmaps")[0]));
});

for (const [what, change, message] of [
  ["a missing record", (texts: string[]) => texts.splice(-2, 1), /read record \d+: found the record .*, expected that of revision \d+: /],
  [
    "a record of another program",
    (texts: string[]) => texts.push('{"x":1}'),
    /found the record "\{\\"x\\":1\}", expected that of revision/,
  ],
] as const) {
  test(`${what} is refused by its place`, () => {
    const log = new MemoryLog();
    const data = new ClusterData(log);
    data.begin(new VirtualClock());
    for (const name of ["a", "b", "c"]) data.storage.put("configmaps", configMap(name) as KubeObject);
    change(log.texts);
    assert.throws(() => new ClusterData(log), message);
  });
}

test("a watch of a resource that had no objects yet is not too old", () => {
  const storage = new ObjectStorage({ revision: 10 });
  for (const name of ["a", "b"]) storage.put("configmaps", configMap(name) as KubeObject);
  storage.put("secrets", { ...configMap("s"), kind: "Secret" } as KubeObject);
  assert.deepEqual(
    storage.eventsSince(11, "secrets")?.map(({ revision }) => revision),
    [13],
  );
});

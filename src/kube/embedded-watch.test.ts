import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import {
  configMapRef,
  configMapObject,
  configMapKind,
  deploymentObject,
  deploymentKind,
  defaultNamespace,
} from "../../test/support/client-objects.ts";
import { connectInProcess, connections, type ConnectedCluster } from "../../test/support/connected-cluster.ts";
import { widgetCrd, widgetCrdRef } from "../../test/support/widget-crd.ts";
import type { Exchange } from "../core/exchange/index.ts";
import { stringAt, type GroupVersionKind, type KubeObject } from "../core/object/index.ts";
import {
  connect,
  newInformer,
  isApiFault,
  isGone,
  isNotFound,
  isUnknownKind,
  waitForKind,
  type InformerEvent,
  type Cluster,
} from "./index.ts";

const widget = { group: "example.com", version: "v1", kind: "Widget" };

const refused = (recognises: (error: unknown) => boolean, message: RegExp) => (error: unknown) => {
  assert.ok(isApiFault(error) && recognises(error), String(error));
  assert.match(error.message, message);
  return true;
};

type Scene = (site: ConnectedCluster, t: TestContext) => Promise<void>;

const scenes: Record<string, Scene> = {
  "a watch tells of everything, with bookmarks, and goes on where it ended": async ({ cluster, clock }) => {
    const began = clock.now();
    await cluster.create(configMapObject("a", {}, { labels: { seen: "" } }));
    const stop = new AbortController();
    const emitted: string[] = [];
    const wake: { waiting?: () => void } = {};
    const waitFor = async (last: string) => {
      while (emitted.at(-1) !== last) await new Promise<void>((resolve) => (wake.waiting = resolve));
    };
    const reading = (async () => {
      const options = { namespace: defaultNamespace, labelSelector: "seen", timeoutSeconds: 90, signal: stop.signal };
      for await (const { type, object } of cluster.watch(configMapKind, options)) {
        emitted.push(`${type} ${object.metadata.name || Number(object.metadata.resourceVersion) > 0}`);
        wake.waiting?.();
      }
    })();
    const ended = assert.rejects(reading, { message: "enough" });
    await waitFor("ADDED a");
    await cluster.create(configMapObject("b", {}, { labels: { seen: "" } }));
    await waitFor("ADDED b");
    await clock.advance(61_000);
    await waitFor("BOOKMARK true");
    await clock.advance(30_000); // the server ends the stream here, and a new one is opened
    await cluster.patch(configMapRef("b"), { type: "merge", patch: { metadata: { labels: { seen: null } } } });
    // Slowly enough for a socket: after five minutes the server forgets what the watch has missed.
    while (emitted.at(-1) !== "DELETED b" && clock.now() - began < 300_000) {
      await clock.advance(10);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.deepEqual(
      emitted.filter((line) => !line.startsWith("BOOKMARK")),
      ["ADDED a", "ADDED b", "DELETED b"],
    );
    stop.abort(new Error("enough"));
    await ended;
  },

  "a kind is found as soon as its definition is established, and missed when it is gone": async ({ cluster, clock }) => {
    assert.equal(await cluster.discovery.find(widget), undefined);
    const served = waitForKind(cluster, widget);
    await cluster.create(widgetCrd);
    await clock.settle();
    assert.equal((await served).plural, "widgets");
    const made = await cluster.create({
      apiVersion: "example.com/v1",
      kind: "Widget",
      metadata: { name: "w", namespace: defaultNamespace },
      spec: { any: ["thing", null, 1.5] },
    });
    assert.deepEqual((await cluster.list(widget)).items, [made]);
    assert.equal((await cluster.discovery.findByName("widgets.example.com"))?.kind, "Widget");
    await cluster.delete(widgetCrdRef);
    await clock.settle();
    await assert.rejects(cluster.list(widget), refused(isNotFound, /^list widgets\.example\.com: /));
    await assert.rejects(cluster.list(widget), isUnknownKind);
    await cluster.create(widgetCrd);
    await clock.settle();
    assert.deepEqual((await cluster.list(widget)).items, []);
  },
};

test("discovery is not polled while no kind is registered", async (t) => {
  const { clock, exchange } = await connectInProcess(t);
  const asked: string[] = [];
  const counted: Exchange = (request) => {
    if (!request.path.includes("watch=")) asked.push(request.path);
    return exchange(request);
  };
  const cluster = connect(counted, { clock });
  const served = waitForKind(cluster, widget);
  await clock.advance(60_000);
  const before = asked.length;
  await clock.advance(3_600_000);
  assert.deepEqual(asked.slice(before), []);
  await cluster.create(widgetCrd);
  await clock.advance(1_000);
  assert.equal((await served).plural, "widgets");
});

test("an API server that forbids everything for a moment after its start does not end the wait for a kind", async (t) => {
  const { clock, exchange } = await connectInProcess(t);
  const forbidden = { apiVersion: "v1", kind: "Status", status: "Failure", code: 403, reason: "Forbidden", message: "no roles yet" };
  let isStarting = false;
  const starting: Exchange = (request) =>
    isStarting ? Promise.resolve({ status: 403, headers: {}, body: [JSON.stringify(forbidden)] }) : exchange(request);
  const cluster = connect(starting, { clock });
  const served = waitForKind(cluster, widget);
  await clock.advance(1_000);
  isStarting = true;
  await connect(exchange, { clock }).create(widgetCrd);
  await clock.advance(5_000);
  isStarting = false;
  await clock.advance(120_000);
  assert.equal((await served).plural, "widgets");
});

for (const [how, open] of Object.entries(connections)) {
  for (const [name, scene] of Object.entries(scenes)) {
    test(`${how}: ${name}`, { timeout: 20_000 }, async (t) => scene(await open(t), t));
  }

  test(`${how}: many informers follow a rollout, and emit every event exactly once`, { timeout: 20_000 }, async (t) => {
    const { cluster, clock, exchange } = await open(t);
    const kinds = (await cluster.discovery.resources()).filter(({ verbs }) => verbs.includes("watch") && verbs.includes("list"));
    assert.ok(kinds.length > 30, `${kinds.length} kinds`);
    const stop = new AbortController();
    const followed = await Promise.all(kinds.map((kind) => follow(cluster, exchange, kind, stop.signal)));
    await cluster.create(deploymentObject("web", "a:1", 3));
    await clock.settle();
    await cluster.apply(deploymentObject("web", "a:2", 4), { force: true });
    await clock.settle();
    await cluster.delete({ ...deploymentKind, namespace: defaultNamespace, name: "web" }, { propagation: "foreground" });
    await clock.settle();
    await turn(100); // duplicates would have arrived by then, too
    for (const { kind, events, emitted, store } of followed) {
      while (emitted.length < events.length) await turn(1);
      assert.deepEqual(emitted, events, kind.kind);
      const live = (await cluster.list(kind)).items;
      assert.deepEqual(Object.groupBy(store.all(), titleOf), Object.groupBy(live, titleOf));
    }
    const count = (kind: string) => followed.find(({ kind: { kind: own } }) => own === kind)?.emitted.length ?? 0;
    assert.ok(count("Pod") > 30 && count("ReplicaSet") > 6 && count("Event") > 10, "there was something to tell");
    stop.abort();
  });
}

const titleOf = ({ metadata: { namespace: place, name, uid, resourceVersion } }: KubeObject) =>
  `${place}/${name} ${uid} ${resourceVersion}`;

/** A synced informer, and its events from then on. */
async function follow(cluster: Cluster, exchange: Exchange, kind: GroupVersionKind, signal: AbortSignal) {
  const { resourceVersion: since } = await cluster.list(kind);
  const informer = newInformer(cluster, kind, { signal });
  const emitted: string[] = [];
  let complete = false;
  void (async () => {
    for await (const change of informer) {
      if (complete) emitted.push(lineOf(change));
      complete ||= change.type === "synced";
    }
  })();
  const store = await informer.waitForSync();
  return { kind, emitted, store, events: await serverEvents(exchange, kind, since, signal) };
}

function lineOf(change: InformerEvent): string {
  return "object" in change ? `${change.type} ${titleOf(change.object)}` : change.type;
}

/** The events of the server's own store, without a network in between. */
async function serverEvents(exchange: Exchange, kind: GroupVersionKind, since: string, signal: AbortSignal): Promise<string[]> {
  const events: string[] = [];
  const stream = await connect(exchange).openWatch(kind, { resourceVersion: since, signal });
  void (async () => {
    for await (const batch of stream) events.push(...batch.map(({ type, object }) => `${type.toLowerCase()} ${titleOf(object)}`));
  })().catch(() => undefined); // it ends by its signal
  return events;
}

async function turn(times: number): Promise<void> {
  for (let left = times; left > 0; left--) await new Promise((resolve) => setImmediate(resolve));
}

/** Writes until the server has dropped its old watch history. */
async function forget(cluster: Cluster): Promise<void> {
  for (let n = 0; n <= 100; n++) await cluster.patch(configMapRef("churn"), { type: "merge", patch: { data: { n: String(n) } } });
}

test("after expiry a list starts again, and a watch throws", { timeout: 60_000 }, async (t) => {
  const { cluster, exchange, clock } = await connectInProcess(t, { keptEvents: 50 });
  const names = ["a", "b", "c", "churn"];
  for (const name of names) await cluster.create(configMapObject(name, { n: "start" }, { labels: { mine: "" } }));
  const since = (await cluster.get(configMapRef("churn"))).metadata.resourceVersion ?? "";
  const selection = { namespace: defaultNamespace, labelSelector: "mine", limit: 2 };
  const asked: string[] = [];
  let late = true;
  const slow = connect(
    async (request) => {
      if (request.path.includes("configmaps")) asked.push(request.path.replace(/.*continue=.*/, "next").replace(/.*configmaps.*/, "first"));
      if (request.path.includes("continue=") && late) {
        late = false;
        await forget(cluster);
      }
      return exchange(request);
    },
    { clock },
  );
  const { items } = await slow.list(configMapKind, selection);
  assert.deepEqual(
    items.map((item) => [item.metadata.name, stringAt(item, "data.n")]),
    names.map((name) => [name, name === "churn" ? "100" : "start"]),
  );
  assert.deepEqual(asked, ["first", "next", "first", "next"]);

  const watching = async () => {
    for await (const _ of cluster.watch(configMapKind, { resourceVersion: since })) assert.fail("nothing can be emitted");
  };
  await assert.rejects(watching(), refused(isGone, /^watch configmaps: too old resource version/));
});

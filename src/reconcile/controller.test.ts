import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { connect, newInformer } from "../kube/index.ts";
import { stringAt, type KubeObject } from "../core/object/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { runControlLoop, runLeaderElection, reconciled, WorkQueue, type Source } from "./index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const map = (name: string, value: string): KubeObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
  data: { value },
});

const keysOf: Source["keysOf"] = ({ object }) => [object.metadata.name];

function lab() {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const cluster = connect(exchange, { clock });
  return { clock, cluster, queue: new WorkQueue({ clock }), stop: new AbortController() };
}

test("it begins when everything is known, follows changes and deletions, and stops", async () => {
  const { clock, cluster, queue, stop } = lab();
  await cluster.create(map("a", "1"));
  await cluster.create(map("b", "1"));
  const informer = newInformer(cluster, configMaps, { namespace: "default" });
  const seen: string[] = [];
  const source: Source = { events: informer, keysOf: ({ object }) => [object.metadata.name] };
  const running = runControlLoop(
    [source],
    queue,
    async (name) => {
      const value = stringAt(informer.lister.find("default", name), "data.value", "gone");
      if (name.length === 1) seen.push(`${name}=${value} of ${informer.lister.size}`);
      return reconciled;
    },
    stop.signal,
  );
  await clock.advance(100);
  const size = informer.lister.size; // the ConfigMap of the root certificate exists as well
  assert.deepEqual(seen, [`a=1 of ${size}`, `b=1 of ${size}`]);
  await cluster.replace(map("a", "2"));
  await cluster.delete({ ...configMaps, namespace: "default", name: "b" });
  await clock.advance(100);
  assert.deepEqual(seen.slice(2), [`a=2 of ${size}`, `b=gone of ${size - 1}`]);
  stop.abort();
  await running;
  await cluster.create(map("c", "1"));
  await clock.advance(100);
  assert.equal(seen.length, 4);
});

test("an optional source of an unserved kind blocks nothing", async () => {
  const { clock, cluster, queue, stop } = lab();
  const seen: string[] = [];
  const absent = newInformer(cluster, { group: "cluster.x-k8s.io", version: "v1beta1", kind: "Cluster" });
  const troubles: string[] = [];
  const sources = [
    { events: newInformer(cluster, configMaps, { namespace: "kube-system" }), keysOf },
    { events: absent, keysOf, optional: true, interrupted: (because: Error) => troubles.push(because.name) },
  ];
  const running = runControlLoop(sources, queue, async (key) => (seen.push(key), reconciled), stop.signal);
  await clock.advance(1000);
  assert.ok(seen.length > 0);
  assert.equal(troubles[0], "UnknownKind");
  stop.abort();
  await clock.until(running);
});

test("a source that fails permanently ends the loop with its error", async () => {
  const { clock, queue, stop } = lab();
  const broken = (async function* () {
    yield { type: "synced" } as const;
    throw new Error("forbidden");
  })();
  let ended = false;
  queue.add("a");
  const running = runControlLoop(
    [{ events: broken, keysOf: () => [] }],
    queue,
    (_, signal) => new Promise((resolve) => signal.addEventListener("abort", () => ((ended = true), resolve(reconciled)))),
    stop.signal,
  );
  await assert.rejects(clock.until(running), /forbidden/);
  assert.equal(ended, true);
});

test("one process leads at a time, and after a crash the next one leads after a lease duration", async () => {
  const { clock, cluster, stop } = lab();
  const lock = { namespace: "default", name: "sluice-controller", about: "the controller" };
  const log: string[] = [];
  const start = clock.now();
  const leader = (identity: string, through = cluster, signal = stop.signal) =>
    runLeaderElection(through, lock, { identity, signal }, async (leading) => {
      log.push(`${identity} leads at ${Math.round((clock.now() - start) / 1000)}`);
      await new Promise<void>((resolve) => leading.addEventListener("abort", () => resolve(), { once: true }));
      log.push(`${identity} stops at ${Math.round((clock.now() - start) / 1000)}`);
    });
  let alive = true;
  const mortal = connect((request) => (alive ? cluster.raw(request) : new Promise<never>(() => {})), { clock });
  const own = new AbortController();
  void leader("a", mortal);
  await clock.advance(1000);
  const second = leader("b", cluster, own.signal);
  await clock.advance(19_000);
  assert.deepEqual(log, ["a leads at 0"]);
  alive = false;
  await clock.advance(30_000);
  const [stops, leads] = log.slice(1).map((line) => Number(line.split(" at ")[1]));
  assert.ok(stops! < leads! && leads! <= 20 + 15, log.join(", "));
  own.abort();
  await clock.until(second);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../core/clock/index.ts";
import { startEmbeddedCluster } from "../embedded/index.ts";
import { connect, newInformer, type Cluster, type Informer } from "./index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const ref = (name: string) => ({ ...configMaps, namespace: "default", name });

type Scene = { readonly clock: VirtualClock; readonly cluster: Cluster; readonly informer: Informer };

async function scene(): Promise<Scene> {
  const clock = new VirtualClock();
  const cluster = connect(startEmbeddedCluster({ clock }).exchange, { clock });
  const informer = newInformer(cluster, configMaps, { namespace: "default", labelSelector: "colour" });
  await clock.until(informer.waitForSync());
  return { clock, cluster, informer };
}

function paint({ cluster }: Scene, name: string, colour: string | null) {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels: { colour } } };
  return cluster.patch(ref(name), { type: "merge", patch: object });
}

function make({ cluster }: Scene, name: string, colour: string) {
  return cluster.create({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels: { colour } } });
}

test("an index follows what is made, changed, no longer selected and deleted, and knows what was there before it", async () => {
  const it = await scene();
  const { clock, cluster, informer } = it;
  await clock.until(make(it, "a", "red"));
  const { metadata } = await clock.until(make(it, "b", "red"));
  await clock.until(informer.waitForResourceVersion(metadata.resourceVersion ?? ""));
  const index = informer.addIndex(({ metadata: { labels } }) => (labels?.["colour"] === undefined ? [] : [labels["colour"]]));
  const ended = new AbortController();
  const former = informer.addIndex(() => ["any"], { signal: ended.signal });
  ended.abort();
  const at = (colour: string) => [...index.at(colour)].map((object) => object.metadata.name).join(" ");
  assert.equal(at("red"), "a b");
  const blue = await clock.until(paint(it, "a", "blue"));
  await clock.until(informer.waitForResourceVersion(blue.metadata.resourceVersion ?? ""));
  assert.deepEqual([at("red"), at("blue")], ["b", "a"]);
  // A watch with a selector reports it as deleted, in its new state.
  await clock.until(paint(it, "a", null));
  await clock.until(informer.waitForDeletion(blue));
  assert.deepEqual([at("red"), at("blue")], ["b", ""]);
  const last = await clock.until(cluster.get(ref("b")));
  await clock.until(cluster.delete(ref("b")));
  await clock.until(informer.waitForDeletion(last));
  assert.equal(at("red"), "");
  assert.equal([...former.at("any")].length, 2, "whose time is over is not kept up any more");
});

test("waitForResourceVersion resolves when the store has the write, or rejects with its signal", async () => {
  const it = await scene();
  const { clock, informer } = it;
  const waiting = new AbortController();
  const never = informer.waitForResourceVersion("999999", { signal: waiting.signal });
  waiting.abort(new Error("enough"));
  await assert.rejects(never, /enough/);
  const { metadata } = await clock.until(make(it, "a", "red"));
  await clock.until(informer.waitForResourceVersion(metadata.resourceVersion ?? ""));
  assert.equal(informer.lister.find("default", "a")?.metadata.uid, metadata.uid);
});

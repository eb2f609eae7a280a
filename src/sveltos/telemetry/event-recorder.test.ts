import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Exchange } from "../../core/exchange/index.ts";
import { connect } from "../../kube/index.ts";
import { numberAt, stringAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { EventRecorder, type RecordedEvent } from "./index.ts";

const events = { group: "", version: "v1", kind: "Event" };
const failed: RecordedEvent = { type: "Warning", reason: "DeployFailed", message: "no such namespace" };

function hanging(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

function lab(hangs: () => boolean = () => false) {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const outcomes: string[] = [];
  const requests: string[] = [];
  const counting: Exchange = (request) => {
    if (request.path.includes("/events")) requests.push(request.method);
    if (request.path.includes("/events") && hangs()) return hanging(request.signal);
    return exchange(request);
  };
  const stop = new AbortController();
  const hub = connect(counting, { clock });
  const writer = new EventRecorder(hub, { instance: "tester", signal: stop.signal, onResult: (outcome) => outcomes.push(outcome) });
  const list = async () => (await clock.until(connect(exchange, { clock }).list(events))).items;
  return { clock, hub, writer, outcomes, requests, stop, list };
}

const about: KubeObject = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default", uid: "u-1" } };
const clusterScoped: KubeObject = {
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "EventSource",
  metadata: { name: "services", uid: "u-2" },
};

test("an Event is in the namespace of its object, by sluice; of a cluster-scoped object in default", async () => {
  const { clock, writer, list } = lab();
  writer.record(about, failed);
  writer.record(clusterScoped, { type: "Normal", reason: "Matched", message: "2 objects" });
  await clock.advance(100);
  const [first, second] = await list();
  assert.equal(stringAt(first, "involvedObject.uid"), "u-1");
  assert.deepEqual(
    ["type", "reason", "message", "source.component", "reportingComponent", "count"].map((path) => valueAt(first, path)),
    ["Warning", "DeployFailed", "no such namespace", "sluice", "sluice", 1],
  );
  assert.equal(second?.metadata.namespace, "default");
  assert.equal(stringAt(second, "involvedObject.kind"), "EventSource");
});

test("a repeated Event is counted, and written with growing delays", async () => {
  const { clock, writer, requests, list } = lab();
  for (let second = 0; second < 600; second++) {
    writer.record(about, failed);
    await clock.advance(1000);
  }
  await clock.advance(600_000);
  const all = await list();
  assert.equal(all.length, 1);
  assert.equal(numberAt(all[0], "count"), 600);
  assert.notEqual(stringAt(all[0], "lastTimestamp"), stringAt(all[0], "firstTimestamp"));
  assert.ok(requests.length <= 10, `${requests.length} requests for an Event that was recorded 600 times`);
});

test("an expired Event is created again", async () => {
  const { clock, hub, writer, list } = lab();
  writer.record(about, failed);
  await clock.advance(10_000);
  const [first] = await list();
  await clock.until(hub.delete({ ...events, namespace: "default", name: first?.metadata.name ?? "" }));
  writer.record(about, failed);
  await clock.advance(10_000);
  const all = await list();
  assert.equal(all.length, 1);
  assert.equal(numberAt(all[0], "count"), 2);
});

test("one object has 25 Events at once, then one in five minutes; another one is not affected", async () => {
  const { clock, writer, outcomes, list } = lab();
  for (let index = 0; index < 40; index++) writer.record(about, { ...failed, message: `try ${index}` });
  writer.record(clusterScoped, failed);
  await clock.advance(1000);
  assert.equal((await list()).length, 26);
  assert.equal(outcomes.filter((outcome) => outcome === "limited").length, 15);
  await clock.advance(300_000);
  for (let index = 40; index < 45; index++) writer.record(about, { ...failed, message: `try ${index}` });
  await clock.advance(1000);
  assert.equal((await list()).length, 27);
});

test("Events for a slow cluster are dropped, and can be recorded again", async () => {
  let isDead = true;
  const { clock, writer, outcomes, list } = lab(() => isDead);
  for (let index = 0; index < 1030; index++) {
    writer.record({ ...about, metadata: { name: `a${index}`, namespace: "default", uid: `u-${index}` } }, failed);
    if (index >= 1000) await clock.advance(100);
  }
  await clock.advance(15_000);
  assert.ok(outcomes.includes("busy"), "more waits than can ever be written");
  assert.ok(outcomes.includes("failed"));
  assert.ok(!outcomes.includes("written"));
  isDead = false;
  await clock.advance(60_000);
  const before = (await list()).length;
  writer.record({ ...about, metadata: { name: "late", namespace: "default", uid: "late" } }, failed);
  await clock.advance(1000);
  assert.equal((await list()).length, before + 1);
});

test("nothing is written when the process ends", async () => {
  const { clock, writer, requests, stop } = lab();
  writer.record(about, failed);
  stop.abort();
  writer.record(clusterScoped, failed);
  await clock.advance(60_000);
  assert.ok(requests.length <= 1);
});

test("names of objects may be as long as they like", async () => {
  const { clock, writer, list } = lab();
  writer.record({ ...about, metadata: { name: "x".repeat(253), namespace: "default" } }, { ...failed, message: "y".repeat(5000) });
  await clock.advance(1000);
  const [event] = await list();
  assert.ok((event?.metadata.name.length ?? 999) <= 253);
  assert.equal(stringAt(event, "message")?.length, 1024);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { SendHttpsPost } from "../../core/exchange/index.ts";
import { fieldsAt, listAt, numberAt, stringAt, type Fields } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
const service = { name: "converter", namespace: "default", path: "/convert" };
const crd: Fields = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "things", singular: "thing", kind: "Thing" },
    versions: ["v1", "v2"].map((name) => ({ name, served: true, storage: name === "v1", schema })),
    conversion: { strategy: "Webhook", webhook: { clientConfig: { service }, conversionReviewVersions: ["v1"] } },
  },
};

const things = (version: string) => `/apis/example.com/${version}/namespaces/default/things`;
const thing = (name: string, more: Fields = {}): Fields => ({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name }, ...more });

/** A cluster whose webhook notes in each object how many reviews there were; `reviews` has the size of each. */
async function clusterWithConverter() {
  const reviews: number[] = [];
  const gates: Promise<void>[] = [];
  const callWebhook: SendHttpsPost = async ({ url, address, body }) => {
    assert.deepEqual([url, address], ["https://converter.default.svc:443/convert?timeout=30s", "127.0.0.1:9443"]);
    const review: unknown = JSON.parse(body);
    const objects = listAt(review, "request.objects");
    reviews.push(objects.length);
    const count = reviews.length;
    await gates.shift();
    const apiVersion = stringAt(review, "request.desiredAPIVersion", "");
    const convertedObjects = objects.map((object) => ({ ...object, apiVersion, count }));
    const response = { uid: stringAt(review, "request.uid", ""), result: { status: "Success" }, convertedObjects };
    return { status: 200, contentType: "application/json", body: JSON.stringify({ ...(review as Fields), response }) };
  };
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, callWebhook });
  const ask = (method: string, path: string, body?: Fields, signal = new AbortController().signal) => {
    const headers = { "content-type": method === "PATCH" ? "application/merge-patch+json" : "application/json" };
    return exchange({ method, path, headers, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  };
  const send = async (method: string, path: string, body?: Fields): Promise<Fields> => {
    let text = "";
    for await (const chunk of (await ask(method, path, body)).body) text += String(chunk);
    return JSON.parse(text) as Fields;
  };
  const metadata = { name: "converter", annotations: { "sim.sluice.dev/address": "127.0.0.1:9443" } };
  await send("POST", "/api/v1/namespaces/default/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [{ port: 443 }] },
  });
  await send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", crd);
  await clock.advance(100);
  return { ask, gates, reviews, send, stop };
}

test("a list is converted by one review, what is known is not asked again, and large lists are parted", async () => {
  const { reviews, send, stop } = await clusterWithConverter();
  for (const name of ["a", "b", "c"]) await send("POST", things("v1"), thing(name));
  assert.deepEqual(reviews, []);
  assert.equal(listAt(await send("GET", things("v2")), "items").length, 3);
  await send("GET", `${things("v2")}/b`);
  assert.deepEqual(reviews.splice(0), [3]);
  await send("PATCH", `${things("v1")}/b`, { spec: { x: 1 } });
  const [a, b] = listAt(await send("GET", things("v2")), "items");
  assert.deepEqual([reviews.splice(0), numberAt(a, "count"), numberAt(b, "count")], [[1], 1, 1]);
  const text = "x".repeat(1_450_000);
  for (const name of ["d", "e", "f"]) await send("POST", things("v1"), thing(name, { text }));
  assert.equal(listAt(await send("GET", things("v2")), "items").length, 6);
  assert.deepEqual(reviews, [2, 1]);
  stop();
});

test("a watch keeps the order of events while a webhook is slow, and a write that meets another one is converted anew", async () => {
  const { ask, gates, send, stop } = await clusterWithConverter();
  await send("POST", things("v1"), thing("a"));
  const ending = new AbortController();
  const watch = await ask("GET", `${things("v2")}?watch=1`, undefined, ending.signal);
  const gate = Promise.withResolvers<void>();
  gates.push(gate.promise);
  await send("PATCH", `${things("v1")}/a`, { spec: { x: 1 } });
  await send("PATCH", `${things("v1")}/a`, { spec: { x: 2 } });
  gate.resolve();
  const seen: number[] = [];
  for await (const chunk of watch.body as AsyncIterable<string>) {
    for (const line of String(chunk).trim().split("\n")) seen.push(numberAt(JSON.parse(line), "object.spec.x", 0));
    if (seen.length === 3) break;
  }
  ending.abort();
  assert.deepEqual(seen, [0, 1, 2]);
  const other = Promise.withResolvers<void>();
  gates.push(other.promise);
  const slow = send("PATCH", `${things("v2")}/a`, { spec: { y: 1 } });
  await send("PATCH", `${things("v1")}/a`, { spec: { x: 3 } });
  other.resolve();
  assert.deepEqual(fieldsAt(await slow, "spec"), { x: 3, y: 1 });
  stop();
});

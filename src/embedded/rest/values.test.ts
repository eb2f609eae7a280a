import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { jsonItemsOf, jsonValueOf, type Answer } from "../../core/exchange/index.ts";
import { stringAt } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../embedded-cluster.ts";

const { signal } = new AbortController();
const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "default" },
  spec: { containers: [{ name: "main", image: "example.com/web:1" }] },
};

/** A cluster in which a pod runs, and requests to it by a caller in this process. */
async function clusterWithPod() {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock });
  const send = (method: string, path: string, body?: object): Promise<Answer> =>
    exchange({ method, path, headers: {}, signal, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
  const pods = "/api/v1/namespaces/default/pods";
  const created = await send("POST", pods, pod);
  await clock.advance(60_000);
  return { send, pods, since: stringAt(jsonValueOf(created.body), "metadata.resourceVersion", "") };
}

test("the value of an answer is what its text says, in the same order", async () => {
  const { send, pods } = await clusterWithPod();
  const requests: [string, string, object?][] = [
    ["GET", `${pods}/web`],
    ["GET", `${pods}/nobody`],
    ["PUT", `${pods}/web?dryRun=All`, { ...pod, metadata: { ...pod.metadata, labels: { a: "b" } } }],
    ["GET", "/apis/apps/v1"],
    ["DELETE", `${pods}/web`],
  ];
  for (const request of requests) {
    const { body } = await send(...request);
    const [text] = [...(body as readonly string[])];
    assert.equal(`${JSON.stringify(jsonValueOf(body))}\n`, text, request.join(" "));
    assert.deepEqual(jsonValueOf(body), JSON.parse(text!));
  }
});

test("the values of a watch are what its text says", async () => {
  const { send, pods, since } = await clusterWithPod();
  const watch = `${pods}?watch=true&resourceVersion=${since}&timeoutSeconds=1`;
  const [asValues, asText] = [await send("GET", watch), await send("GET", watch)];
  const { value: values } = await jsonItemsOf(asValues.body)![Symbol.asyncIterator]().next();
  const { value: text } = await (asText.body as AsyncIterable<string>)[Symbol.asyncIterator]().next();
  const lines = String(text).trimEnd().split("\n");
  assert.ok(lines.length > 1);
  assert.deepEqual(
    values,
    lines.map((line) => JSON.parse(line)),
  );
});

test("who is connected over a socket gets text", async () => {
  const clock = new VirtualClock();
  const { exchange } = startEmbeddedCluster({ clock, authorization: "AlwaysAllow" });
  const certificate = { commonName: "admin", organizations: ["system:masters"], fingerprint: "" };
  const path = "/api/v1/namespaces?watch=true";
  const { status, body } = await exchange({ method: "GET", path, headers: {}, signal, peer: { certificate } });
  assert.equal(status, 200);
  assert.equal(jsonItemsOf(body), undefined);
});

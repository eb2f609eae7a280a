import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { SendHttpsPost, HttpsPost } from "../../core/exchange/index.ts";
import { fieldsAt, listAt, stringAt, type Fields } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const configurations = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
const configMaps = "/api/v1/namespaces/default/configmaps";

type Reply = (request: Fields) => Fields | Promise<Fields>;

/** A cluster whose webhook answers as `reply` says, or runs into its time-out; `calls` are those that were made. */
function clusterWith(reply: Reply | "slow") {
  const calls: { readonly call: HttpsPost; readonly request: Fields }[] = [];
  const callWebhook: SendHttpsPost = async (call) => {
    const review: unknown = JSON.parse(call.body);
    const request = fieldsAt(review, "request");
    calls.push({ call, request });
    if (reply === "slow") return { error: `Post "${call.url}": context deadline exceeded`, tookMs: call.timeoutMs };
    const response = { uid: request["uid"], allowed: true, ...(await reply(request)) };
    return { status: 200, contentType: "application/json", body: JSON.stringify({ ...(review as Fields), request: undefined, response }) };
  };
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, callWebhook });
  const send = async (method: string, path: string, body?: Fields, type = "application/json") => {
    const sent = { method, path, headers: { "content-type": type }, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await exchange({ ...sent, signal: new AbortController().signal });
    let text = "";
    for await (const chunk of answer.body) text += String(chunk);
    return { status: answer.status, body: JSON.parse(text) as Fields };
  };
  return { calls, clock, send, stop };
}

function configuration(resources: readonly string[], more: Fields = {}): Fields {
  const rules = [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources }];
  const clientConfig = { url: "https://127.0.0.1:1/" };
  const webhook = { name: "a.example.com", rules, clientConfig, sideEffects: "None", admissionReviewVersions: ["v1"], ...more };
  return {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "MutatingWebhookConfiguration",
    metadata: { name: "a" },
    webhooks: [webhook],
  };
}

const configMap = (name: string, data: Fields = {}): Fields => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data });

function labels(): Fields {
  const patch = [{ op: "add", path: "/metadata/labels/seen", value: "yes" }];
  return { patchType: "JSONPatch", patch: Buffer.from(JSON.stringify(patch)).toString("base64") };
}

test("a webhook sees each Pod that a controller makes, once, and its patch is stored", async () => {
  const { calls, clock, send, stop } = clusterWith(labels);
  await send("POST", configurations, configuration(["pods"]));
  const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a:1" }] } };
  const spec = { replicas: 3, selector: { matchLabels: { app: "a" } }, template };
  await send("POST", "/apis/apps/v1/namespaces/default/replicasets", {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "a" },
    spec,
  });
  for (let step = 0; step < 50; step++) await clock.advance(100);
  const pods = listAt((await send("GET", "/api/v1/namespaces/default/pods")).body, "items");
  assert.deepEqual(
    pods.map((pod) => [stringAt(pod, "metadata.labels.seen"), stringAt(pod, "status.phase")]),
    [
      ["yes", "Running"],
      ["yes", "Running"],
      ["yes", "Running"],
    ],
  );
  assert.equal(new Set(pods.map((pod) => stringAt(pod, "metadata.uid"))).size, 3);
  const created = calls.filter(({ request }) => request["operation"] === "CREATE");
  assert.equal(created.length, 3);
  assert.equal(stringAt(created[0]!.request, "userInfo.username"), "system:kube-controller-manager");
  stop();
});

test("a denied Pod is an event and is tried again", async () => {
  const { clock, send, stop } = clusterWith(() => ({ allowed: false, status: { message: "no pods" } }));
  await send("POST", configurations, configuration(["pods"]));
  const template = { metadata: { labels: { app: "a" } }, spec: { containers: [{ name: "a", image: "a:1" }] } };
  const spec = { replicas: 1, selector: { matchLabels: { app: "a" } }, template };
  await send("POST", "/apis/apps/v1/namespaces/default/replicasets", {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "a" },
    spec,
  });
  for (let step = 0; step < 30; step++) await clock.advance(100);
  const events = listAt((await send("GET", "/api/v1/namespaces/default/events")).body, "items");
  const failed = events.filter((event) => event["reason"] === "FailedCreate");
  assert.match(stringAt(failed[0]!, "message", ""), /^Error creating: admission webhook "a.example.com" denied the request: no pods$/);
  stop();
});

test("an update that meets another one is sent again with the object as it is then, or is a conflict", async () => {
  const gate = Promise.withResolvers<void>();
  const { calls, send, stop } = clusterWith(async (request) => {
    if (stringAt(request, "object.data.slow", "") !== "") await gate.promise;
    return {};
  });
  await send("POST", configMaps, configMap("a"));
  await send("POST", configurations, configuration(["configmaps"]));
  const slow = send("PATCH", `${configMaps}/a`, { data: { slow: "1" } }, "application/merge-patch+json");
  const live = (await send("GET", `${configMaps}/a`)).body;
  const conflict = send("PUT", `${configMaps}/a`, { ...configMap("a", { slow: "2" }), metadata: fieldsAt(live, "metadata") });
  await send("PATCH", `${configMaps}/a`, { data: { quick: "1" } }, "application/merge-patch+json");
  gate.resolve();
  assert.deepEqual((await slow).body["data"], { quick: "1", slow: "1" });
  assert.equal((await conflict).status, 409);
  const asked = calls.map(({ request }) => fieldsAt(request, "object.data"));
  assert.deepEqual(
    asked.filter(({ slow: value }) => value === "1"),
    [{ slow: "1" }, { quick: "1", slow: "1" }],
  );
  stop();
});

test("a collection is deleted once, object by object", async () => {
  const { calls, send, stop } = clusterWith(() => ({}));
  for (const name of ["a", "b", "c"]) await send("POST", configMaps, { ...configMap(name), metadata: { name, labels: { of: "test" } } });
  await send("POST", configurations, configuration(["configmaps"]));
  const { body } = await send("DELETE", `${configMaps}?labelSelector=of=test`);
  assert.deepEqual(
    listAt(body, "items").map((item) => stringAt(item, "metadata.name")),
    ["a", "b", "c"],
  );
  assert.deepEqual(
    calls.map(({ request }) => [request["name"], stringAt(request, "oldObject.metadata.name")]),
    [
      [undefined, "a"],
      [undefined, "b"],
      [undefined, "c"],
    ],
  );
  stop();
});

test("a webhook behind a Service is called where the Service says that its program listens", async () => {
  const { calls, send, stop } = clusterWith(() => ({}));
  const service = { name: "hooks", namespace: "default", path: "/x", port: 8443 };
  await send("POST", configurations, configuration(["configmaps"], { clientConfig: { service } }));
  const metadata = { name: "hooks", annotations: { "sim.sluice.dev/address": "127.0.0.1:9443" } };
  await send("POST", "/api/v1/namespaces/default/services", {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { ports: [{ port: 8443 }] },
  });
  assert.equal((await send("POST", configMaps, configMap("a"))).status, 201);
  const { url, address, timeoutMs } = calls[0]!.call;
  assert.deepEqual([url, address, timeoutMs], ["https://hooks.default.svc:8443/x?timeout=10s", "127.0.0.1:9443", 10_000]);
  await send("PATCH", "/api/v1/namespaces/default/services/hooks", { metadata: { annotations: null } }, "application/merge-patch+json");
  const { body } = await send("POST", configMaps, configMap("b"));
  assert.match(
    stringAt(body, "message", ""),
    /Post "https:\/\/hooks.default.svc:8443\/x\?timeout=10s": dial tcp 10\.[\d.]+:8443: connect: connection refused$/,
  );
  stop();
});

test("a request waits for its webhooks 34 seconds, or as long as it says", async () => {
  const { calls, send, stop } = clusterWith("slow");
  const webhook = { ...(configuration(["configmaps"])["webhooks"] as Fields[])[0], failurePolicy: "Ignore", timeoutSeconds: 30 };
  const webhooks = ["a", "b", "c"].map((name) => ({ ...webhook, name: `${name}.example.com` }));
  await send("POST", configurations, { ...configuration([]), webhooks });
  const late = await send("POST", configMaps, configMap("a"));
  assert.deepEqual(
    calls.splice(0).map(({ call }) => [call.url, call.timeoutMs]),
    [
      ["https://127.0.0.1:1/?timeout=30s", 30_000],
      ["https://127.0.0.1:1/?timeout=4s", 4000],
    ],
  );
  const why = "Timeout: request did not complete within requested timeout - context deadline exceeded";
  assert.deepEqual([late.status, late.body["kind"], late.body["message"]], [504, "Status", why]);
  const own = await send("POST", `${configMaps}?timeout=1500ms`, configMap("a"));
  assert.deepEqual(
    calls.map(({ call }) => [call.url, call.timeoutMs]),
    [["https://127.0.0.1:1/?timeout=2s", 1500]],
  );
  const message = "Timeout: request did not complete within the allotted timeout";
  assert.deepEqual(own, { status: 504, body: { metadata: {}, status: "Failure", message, reason: "Timeout", details: {}, code: 504 } });
  assert.equal((await send("GET", `${configMaps}/a`)).status, 404);
  stop();
});

test("the scheduler creates a Binding, and a webhook that denies it leaves the pod where it is", async () => {
  const { calls, clock, send, stop } = clusterWith(() => ({ allowed: false }));
  await send("POST", configurations, configuration(["pods/binding"]));
  const spec = { containers: [{ name: "a", image: "a:1" }] };
  await send("POST", "/api/v1/namespaces/default/pods", { apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec });
  for (let step = 0; step < 5; step++) await clock.advance(100);
  const { operation, name, kind, object, userInfo } = calls[0]!.request;
  assert.deepEqual([operation, name, kind], ["CREATE", "a", { group: "", version: "v1", kind: "Binding" }]);
  assert.deepEqual(
    [fieldsAt(object, "target"), stringAt(userInfo, "username")],
    [{ kind: "Node", name: "node-1" }, "system:kube-scheduler"],
  );
  assert.equal(stringAt((await send("GET", "/api/v1/namespaces/default/pods/a")).body, "spec.nodeName"), undefined);
  stop();
});

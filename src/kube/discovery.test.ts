import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { serveHttp } from "../../test/support/loopback.ts";
import { RealClock, VirtualClock } from "../core/clock/index.ts";
import { connect, isApiFault, openTransport } from "./index.ts";

type Documents = Record<string, unknown>;

/** A server that has these documents, and answers 503 where one is `down`. */
async function serving(t: TestContext, documents: Documents) {
  const asked: string[] = [];
  const server = await serveHttp(t, (request, response) => {
    const path = request.url ?? "";
    asked.push(path);
    const document = documents[path];
    response.statusCode = document === undefined ? 404 : document === "down" ? 503 : 200;
    response.end(document === undefined ? "404 page not found" : document === "down" ? "service unavailable" : JSON.stringify(document));
  });
  const transport = openTransport({ server: server.url }, new RealClock());
  t.after(() => transport.close());
  return { asked, discovery: connect(transport.exchange, { clock: new VirtualClock({ jump: true }) }).discovery };
}

const list = (groupVersion: string, ...names: [plural: string, kind: string][]) => ({
  kind: "APIResourceList",
  groupVersion,
  resources: names.map(([name, kind]) => ({ name, kind, namespaced: true, verbs: ["get", "list"], singularName: kind.toLowerCase() })),
});
const group = (name: string, preferred: string, ...versions: string[]) => ({
  name,
  versions: versions.map((version) => ({ groupVersion: `${name}/${version}`, version })),
  preferredVersion: { groupVersion: `${name}/${preferred}`, version: preferred },
});

/** What servers before aggregated discovery (1.26) have, one document for each group and version. */
function legacy(): Documents {
  return {
    "/api": { kind: "APIVersions", versions: ["v1"] },
    "/api/v1": list("v1", ["pods", "Pod"], ["pods/log", "Pod"], ["pods/status", "Pod"]),
    "/apis": {
      kind: "APIGroupList",
      groups: [group("metrics.k8s.io", "v1beta1", "v1beta1"), group("autoscaling", "v2", "v1", "v2"), group("apps", "v1", "v1")],
    },
    "/apis/metrics.k8s.io/v1beta1": "down",
    "/apis/autoscaling/v1": list("autoscaling/v1", ["horizontalpodautoscalers", "HorizontalPodAutoscaler"]),
    "/apis/autoscaling/v2": list("autoscaling/v2", ["horizontalpodautoscalers", "HorizontalPodAutoscaler"]),
    "/apis/apps/v1": list("apps/v1", ["deployments", "Deployment"], ["deployments/scale", "Scale"]),
  };
}

const metrics = { group: "metrics.k8s.io", version: "v1beta1", kind: "PodMetrics" };

test("legacy discovery: a group that is down does not take the others with it, and is found when it is back", async (t) => {
  const documents = legacy();
  const { discovery } = await serving(t, documents);
  assert.deepEqual((await discovery.find({ group: "apps", version: "v1", kind: "Deployment" }))?.subresources, ["scale"]);
  assert.deepEqual((await discovery.find({ group: "", version: "v1", kind: "Pod" }))?.subresources, ["log", "status"]);
  const stale = (await discovery.groups()).flatMap(({ versions }) => versions.map(({ stale: missing }) => missing));
  assert.deepEqual(stale, [false, true, false, false, false]);
  await assert.rejects(discovery.find(metrics), (error) => isApiFault(error) && error.code === 503, "whether it is served cannot be said");
  documents["/apis/metrics.k8s.io/v1beta1"] = list("metrics.k8s.io/v1beta1", ["pods", "PodMetrics"]);
  assert.equal((await discovery.find(metrics))?.plural, "pods");
});

test("legacy discovery: of several versions the preferred one is meant", async (t) => {
  const { discovery } = await serving(t, legacy());
  assert.equal((await discovery.findByName("horizontalpodautoscaler"))?.version, "v2");
  assert.equal((await discovery.findByName("horizontalpodautoscalers.v1.autoscaling"))?.version, "v1");
  const all = (await discovery.resources()).map(({ plural, group: name, version }) => `${plural}.${version}.${name}`);
  assert.deepEqual(all, ["pods.v1.", "horizontalpodautoscalers.v2.autoscaling", "deployments.v1.apps"]);
});

test("concurrent lookups share requests", async (t) => {
  const { discovery, asked } = await serving(t, legacy());
  const kinds = Array.from({ length: 20 }, () => ({ group: "apps", version: "v1", kind: "Deployment" }));
  assert.equal(new Set((await Promise.all(kinds.map((kind) => discovery.find(kind)))).map((found) => found?.plural)).size, 1);
  assert.equal(asked.filter((path) => path === "/apis").length, 1);
  const unknown = { group: "example.com", version: "v1", kind: "Widget" };
  assert.deepEqual(await Promise.all([1, 2, 3, 4].map(() => discovery.find(unknown))), Array(4).fill(undefined));
  assert.ok(asked.filter((path) => path === "/apis/example.com/v1").length < 4, "not everybody asks again");
});

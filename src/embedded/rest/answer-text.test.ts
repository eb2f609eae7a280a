import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../index.ts";

// What is expected here is what a real API server of the same version answers.

const { exchange } = startEmbeddedCluster({ clock: new VirtualClock() });
const { signal } = new AbortController();

async function asked(method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string) {
  const answer = await exchange({ method, path, headers, signal, ...(body === undefined ? {} : { body }) });
  return { ...answer, text: (answer.body as readonly (string | Uint8Array)[]).map(String).join("") };
}

test("JSON is one line for programs, and indented for people and who asks for it", async () => {
  const plain = (await asked("GET", "/apis/apps")).text;
  assert.match(plain, /^\{"kind":"APIGroup","apiVersion":"v1","name":"apps",.*\}\n$/);
  const pretty = JSON.stringify(JSON.parse(plain), undefined, 2);
  const rows: readonly (readonly [path: string, agent: string, expected: string])[] = [
    ["/apis/apps", "curl/8.0", pretty],
    ["/apis/apps", "Wget/1.21", pretty],
    ["/apis/apps", "Mozilla/5.0 (X11)", pretty],
    ["/apis/apps", "kubectl/v1.35.8", plain],
    ["/apis/apps?pretty=true", "kubectl/v1.35.8", pretty],
    ["/apis/apps?pretty=false", "curl/8.0", plain],
    ["/apis/apps?pretty=maybe", "curl/8.0", plain],
    ["/apis/apps?pretty=", "curl/8.0", pretty],
  ];
  for (const [path, agent, expected] of rows)
    assert.equal((await asked("GET", path, { "user-agent": agent })).text, expected, path + agent);
  const list = (await asked("GET", "/api/v1/nodes?pretty=1")).text;
  assert.equal(list, JSON.stringify(JSON.parse((await asked("GET", "/api/v1/nodes")).text), undefined, 2));
  assert.match((await asked("GET", "/version")).text, /^\{\n {2}"major": "1",\n/);
});

test("legacy discovery has its keys in the server's order, and aggregated discovery an ETag", async () => {
  const { text } = await asked("GET", "/api/v1");
  const verbs = '["create","delete","deletecollection","get","list","patch","update","watch"]';
  const head = '{"name":"configmaps","singularName":"configmap","namespaced":true,"kind":"ConfigMap"';
  assert.ok(text.includes(`${head},"verbs":${verbs},"shortNames":["cm"],"storageVersionHash":"qFsyl6wFWjQ="}`));
  const accept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
  const { headers, status } = await asked("GET", "/apis", { accept });
  assert.deepEqual([status, headers["cache-control"], headers["content-type"]], [200, "public", accept]);
  assert.equal((await asked("GET", "/apis", { accept, "if-none-match": headers["etag"] ?? "" })).status, 304);
});

test("a Scale of zero has no replicas in its spec", async () => {
  const containers = [{ name: "web", image: "example.com/web:1" }];
  const template = { metadata: { labels: { app: "web" } }, spec: { containers } };
  const spec = { replicas: 0, selector: { matchLabels: { app: "web" } }, template };
  const path = "/apis/apps/v1/namespaces/default/deployments";
  const body = JSON.stringify({ metadata: { name: "web" }, spec });
  assert.equal((await asked("POST", path, { "content-type": "application/json" }, body)).status, 201);
  const scale = JSON.parse((await asked("GET", `${path}/web/scale`)).text) as { spec: unknown; status: unknown };
  assert.deepEqual([scale.spec, scale.status], [{}, { replicas: 0, selector: "app=web" }]);
});

test("every answer has the id of its request", async () => {
  assert.equal((await asked("GET", "/healthz", { "audit-id": "my-own" })).headers["audit-id"], "my-own");
  const { "audit-id": id = "", "cache-control": caching } = (await asked("GET", "/api/v1/namespaces/none")).headers;
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(caching, "no-cache, private");
});

const unrecognized = "the object provided is unrecognized (must be of type Namespace): couldn't get version/kind; json parse error:";
const malformed: readonly (readonly [method: string, type: string, body: string, message: string])[] = [
  ["POST", "json", "apiVersion: v1", `${unrecognized} invalid character 'a' looking for beginning of value (61706956657273696f6e3a207631)`],
  ["POST", "json", '{"kind":', `${unrecognized} unexpected end of JSON input ({"kind":)`],
  [
    "POST",
    "json",
    '{"kind":"A","spec":{]}',
    `${unrecognized} invalid character ']' looking for beginning of object key string ({"kind":"A","spec":{]})`,
  ],
  ["POST", "json", "", `${unrecognized} unexpected end of JSON input (<empty>)`],
  ["PUT", "json", '{"kind":', `${unrecognized} unexpected end of JSON input ({"kind":)`],
  ["DELETE", "json", '{"kind":', "couldn't get version/kind; json parse error: unexpected end of JSON input"],
  ["PATCH", "json-patch+json", '{"kind":', "error decoding patch: unexpected end of JSON input"],
  ["PATCH", "merge-patch+json", "a: b", "error decoding patch: invalid character 'a' looking for beginning of value"],
  ["PATCH", "json-patch+json", '"x"', "error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp"],
  ["PATCH", "merge-patch+json", "[1]", "error decoding patch: json: cannot unmarshal array into Go value of type map[string]interface {}"],
  ["PATCH", "strategic-merge-patch+json", '"x"', "json: cannot unmarshal string into Go value of type map[string]interface {}"],
  ["PATCH", "strategic-merge-patch+json", "a: b", "invalid character 'a' looking for beginning of value"],
];

test("bodies that are no JSON are refused in the words of a real server", async () => {
  for (const [method, type, body, message] of malformed) {
    const path = method === "POST" ? "/api/v1/namespaces" : "/api/v1/namespaces/default";
    const { status, text } = await asked(method, path, { "content-type": `application/${type}` }, body);
    assert.deepEqual([status, (JSON.parse(text) as { message: string }).message], [400, message], `${method} ${body}`);
  }
});

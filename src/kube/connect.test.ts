import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { RealClock, VirtualClock } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { serveHttp } from "../../test/support/loopback.ts";
import {
  ApiFault,
  connect,
  ConnectionFault,
  isAlreadyExists,
  isConflict,
  isGone,
  isNotFound,
  isUnauthorized,
  openTransport,
  WriteGate,
} from "./index.ts";

type Reply = [status: number, body: unknown, headers?: Record<string, string>];
type Asked = { line: string; type: string | undefined; body: string };

const resource = (resource: string, kind: string, scope = "Namespaced", subresources: string[] = []) => ({
  resource,
  responseKind: { group: "", version: "", kind },
  scope,
  singularResource: kind.toLowerCase(),
  verbs: ["get"],
  subresources: subresources.map((subresource) => ({ subresource })),
});
const group = (name: string, version: string, resources: unknown[], freshness = "Current") => ({
  metadata: { name },
  versions: [{ version, resources, freshness }],
});
const discovery: Record<string, unknown> = {
  "/api": {
    kind: "APIGroupDiscoveryList",
    items: [group("", "v1", [resource("configmaps", "ConfigMap"), resource("namespaces", "Namespace", "Cluster")])],
  },
  "/apis": {
    kind: "APIGroupDiscoveryList",
    items: [
      group("apps", "v1", [{ ...resource("deployments", "Deployment", "Namespaced", ["status", "scale"]), shortNames: ["deploy"] }]),
      group("metrics.k8s.io", "v1beta1", [], "Stale"),
    ],
  },
};

/** A server with this discovery that gives these replies to everything else. */
async function perform(t: TestContext, replies: Reply[], more: Record<string, unknown> = {}) {
  const asked: Asked[] = [];
  const server = await serveHttp(t, (request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      const known = { ...discovery, ...more }[request.url ?? ""];
      if (known === undefined) asked.push({ line: `${request.method} ${request.url}`, type: request.headers["content-type"], body });
      const [status, answer, headers] = known === undefined ? (replies.shift() ?? [500, "no more replies"]) : [200, known];
      response.writeHead(status, headers ?? {});
      response.end(typeof answer === "string" ? answer : JSON.stringify(answer));
    });
  });
  const clock = new VirtualClock({ jump: true });
  const transport = openTransport({ server: server.url }, new RealClock());
  t.after(() => transport.close());
  const warnings: string[] = [];
  return { asked, warnings, clock, cluster: connect(transport.exchange, { clock, warn: (text) => warnings.push(text) }) };
}

const web: KubeObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" }, spec: { brandNewField: [null, 1.5, "é"] } };
const ref = { group: "apps", version: "v1", kind: "Deployment", namespace: "prod", name: "web" };
const status = (code: number, reason: string, message: string, details?: unknown) => ({
  apiVersion: "v1",
  kind: "Status",
  status: "Failure",
  code,
  reason,
  message,
  details,
});

test("every verb asks what it should, and sends what it was given", async (t) => {
  const { cluster, asked, warnings } = await perform(
    t,
    Array.from({ length: 9 }, () => [200, web, { warning: '299 - "unknown field \\"spec.brandNewField\\""' }]),
  );
  await cluster.get(ref);
  await cluster.get({ ...ref, namespace: "" }, { subresource: "scale" });
  await cluster.create(web, { dryRun: true, fieldValidation: "Strict" });
  await cluster.replace(web, { subresource: "status" });
  await cluster.patch(ref, { type: "json", patch: [{ op: "remove", path: "/spec" }] }, { manager: "me" });
  await cluster.patch(ref, { type: "strategic", patch: { spec: null } });
  await cluster.apply(web, { manager: "me", force: true });
  await cluster.delete(ref, { propagation: "foreground", gracePeriodSeconds: 0, preconditions: { uid: "7" } });
  await cluster.get({ group: "", version: "v1", kind: "Namespace", namespace: "ignored", name: "a/b" });
  const base = "/apis/apps/v1/namespaces";
  assert.deepEqual(
    asked.map(({ line }) => line),
    [
      `GET ${base}/prod/deployments/web`,
      `GET ${base}/default/deployments/web/scale`,
      `POST ${base}/default/deployments?dryRun=All&fieldManager=sluice&fieldValidation=Strict`,
      `PUT ${base}/default/deployments/web/status?fieldManager=sluice`,
      `PATCH ${base}/prod/deployments/web?fieldManager=me`,
      `PATCH ${base}/prod/deployments/web?fieldManager=sluice`,
      `PATCH ${base}/default/deployments/web?fieldManager=me&force=true`,
      `DELETE ${base}/prod/deployments/web`,
      "GET /api/v1/namespaces/a%2Fb",
    ],
  );
  assert.deepEqual(
    asked.slice(4, 7).map(({ type }) => type),
    ["application/json-patch+json", "application/strategic-merge-patch+json", "application/apply-patch+yaml"],
  );
  for (const at of [2, 3, 6]) assert.equal(asked[at]?.body, JSON.stringify(web));
  assert.equal(
    asked[7]?.body,
    '{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Foreground","preconditions":{"uid":"7"},"gracePeriodSeconds":0}',
  );
  assert.equal(warnings[0], 'unknown field "spec.brandNewField"');
});

// The messages of a v1.35.8 server.
const causes = [
  { reason: "FieldManagerConflict", message: 'conflict with "a"', field: ".data.a" },
  { reason: "FieldManagerConflict", message: 'conflict with "kubectl" using apps/v1', field: ".spec.replicas" },
];
const refusals: [string, Reply, (error: unknown) => boolean, RegExp][] = [
  [
    "not found",
    [404, status(404, "NotFound", 'deployments.apps "web" not found', { name: "web" })],
    isNotFound,
    /^get deployments\.apps prod\/web: deployments\.apps "web" not found$/,
  ],
  ["exists", [409, status(409, "AlreadyExists", "already exists")], (e) => isAlreadyExists(e) && !isConflict(e), /already exists/],
  ["conflict", [409, status(409, "Conflict", "Apply failed with 2 conflicts", { causes })], isConflict, /Apply failed/],
  ["gone", [410, status(410, "Expired", "too old")], isGone, /too old/],
  [
    "a web page",
    [502, "<html><title>Bad Gateway</title></html>"],
    (e) => e instanceof ApiFault && e.code === 502,
    /502 with a web page \("Bad Gateway"\), which no API server sends/,
  ],
  ["plain text", [404, "404 page not found"], isNotFound, /the server answered 404: 404 page not found/],
];

for (const [what, answer, recognises, message] of refusals) {
  test(`a refusal (${what}) names what was being done`, async (t) => {
    const { cluster } = await perform(t, [answer]);
    await assert.rejects(cluster.get(ref), (error) => {
      assert.ok(error instanceof ApiFault && recognises(error));
      assert.match(error.message, message);
      if (what === "conflict")
        assert.deepEqual(error.conflicts, [
          { field: ".data.a", manager: "a" },
          { field: ".spec.replicas", manager: "kubectl" },
        ]);
      return true;
    });
  });
}

test("429 and Retry-After are honoured, on the clock; other refusals and unsafe requests are not repeated", async (t) => {
  const { cluster, asked, clock } = await perform(t, [
    [429, "slow down", { "retry-after": "7" }],
    [503, "starting"],
    [200, web],
    [503, "no"],
    [200, web],
  ]);
  const began = clock.now();
  await cluster.get(ref);
  assert.ok(clock.now() - began >= 7000 && clock.now() - began < 8000, `${clock.now() - began} ms`);
  await assert.rejects(cluster.create(web), { code: 503 });
  assert.equal(asked.length, 4);
});

const page = (names: string, token: string): Reply => [
  200,
  {
    kind: "DeploymentList",
    metadata: { resourceVersion: "5", continue: token },
    items: names.split(" ").map((name) => ({ metadata: { name } })),
  },
];

test("a list takes all its pages, and begins again when its moment has expired", async (t) => {
  const { cluster, asked } = await perform(t, [
    page("a b", "t1"),
    [410, status(410, "Expired", "expired")],
    page("a c", "t2"),
    page("d", ""),
  ]);
  const { items, resourceVersion } = await cluster.list(ref, { namespace: "prod", labelSelector: "app=web,tier!=db", limit: 2 });
  assert.deepEqual(
    items.map(({ apiVersion, kind, metadata }) => `${apiVersion} ${kind} ${metadata.name}`),
    ["a", "c", "d"].map((name) => `apps/v1 Deployment ${name}`),
  );
  assert.equal(resourceVersion, "5");
  assert.match(asked[3]?.line ?? "", /\?labelSelector=app%3Dweb%2Ctier!%3Ddb&limit=2&continue=t2$/);
});

test("an unknown kind is asked for once more; one that has come is found, one that has not is named", async (t) => {
  const missing: Reply = [404, "404 page not found"];
  const { cluster, asked } = await perform(t, [
    missing,
    [
      200,
      {
        groupVersion: "example.com/v1",
        resources: [
          { name: "widgets", kind: "Widget", namespaced: true, verbs: [] },
          { name: "widgets/status", kind: "Widget" },
        ],
      },
    ],
  ]);
  const widget = { group: "example.com", version: "v1", kind: "Widget" };
  await assert.rejects(cluster.discovery.resolve(widget), {
    name: "UnknownKind",
    message: /^the server knows no kind example\.com\/v1 Widget: .*CustomResourceDefinition/,
  });
  const [one, two] = await Promise.all([cluster.discovery.find(widget), cluster.discovery.find(widget)]);
  assert.deepEqual([one?.plural, one?.subresources, two], ["widgets", ["status"], one]);
  assert.equal(asked.length, 2);
  assert.equal((await cluster.discovery.findByName("deploy"))?.plural, "deployments");
  assert.equal((await cluster.discovery.findByName("deployments.v1.apps"))?.kind, "Deployment");
});

test("every attempt to write can be refused at the last moment, also a repeated one", async () => {
  const sent: string[] = [];
  let mayWrite = true;
  const cluster = connect(
    async ({ method, path }) => {
      if (discovery[path] !== undefined) return { status: 200, headers: {}, body: [JSON.stringify(discovery[path])] };
      sent.push(method);
      mayWrite = false;
      throw new ConnectionFault("the connection broke", { unsent: true });
    },
    {
      clock: new VirtualClock({ jump: true }),
      writeGate: new WriteGate(() => {
        if (!mayWrite) throw new Fault("another has it now");
      }),
    },
  );
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
  await assert.rejects(cluster.apply(object), /another has it now/);
  await assert.rejects(cluster.create(object), /another has it now/);
  assert.deepEqual(sent, ["PATCH"], "the second attempt is not sent");
  await assert.rejects(cluster.get({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" }), /broke/);
});

test("a refusal counts also when the connection breaks before its text has arrived", async () => {
  const cluster = connect(async ({ path }) => {
    if (discovery[path] !== undefined) return { status: 200, headers: {}, body: [JSON.stringify(discovery[path])] };
    return { status: 401, headers: {}, body: broken() };
  });
  const ref = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  await assert.rejects(cluster.get(ref), (error) => isUnauthorized(error));
});

async function* broken(): AsyncGenerator<string> {
  yield '{"kind":"Sta';
  throw new ConnectionFault("the connection broke", {});
}

test("impersonation asks as the other user, keeps the gate of writes, and is never laid over another", async () => {
  const users: (string | undefined)[] = [];
  const exchange: Parameters<typeof connect>[0] = async ({ headers }) => {
    users.push(headers["impersonate-user"]);
    return { status: 200, headers: {}, body: ["{}"] };
  };
  const closed = new WriteGate(() => {
    throw new Fault("not ours any more");
  });
  const admin = connect(exchange, { writeGate: closed });
  const tenant = admin.impersonate("eve");
  assert.equal(tenant, admin.impersonate("eve"));
  await tenant.raw({ method: "GET", path: "/" });
  await assert.rejects(tenant.raw({ method: "POST", path: "/" }), /not ours any more/);
  await assert.rejects(
    tenant.impersonate("mallory").raw({ method: "GET", path: "/" }),
    /^Fault: send a request as mallory: the kubeconfig impersonates eve already/,
  );
  assert.deepEqual(users, ["eve"]);
});

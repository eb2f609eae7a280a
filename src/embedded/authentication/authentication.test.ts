import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Peer } from "../../core/exchange/index.ts";
import { stringAt, valueAt } from "../../core/object/index.ts";
import { startEmbeddedCluster } from "../index.ts";

const clock = new VirtualClock();
const authority = { certificate: "PEM", key: "" };
const { exchange } = startEmbeddedCluster({ clock, authority });
const { signal } = new AbortController();
const secrets = "/api/v1/namespaces/default/secrets";
const accounts = "/api/v1/namespaces/default/serviceaccounts";
const whoami = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };

type Call = { readonly token?: string; readonly peer?: Peer; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

async function call(
  method: string,
  path: string,
  { token, peer, headers, body }: Call = {},
): Promise<{ status: number; body: unknown; warning: string }> {
  const answer = await exchange({
    method,
    path,
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    signal,
    ...(peer === undefined ? {} : { peer }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  let text = "";
  for await (const chunk of answer.body) text += chunk.toString();
  const warning = answer.headers["warning"] ?? "";
  return { status: answer.status, body: text.startsWith("{") ? (JSON.parse(text) as unknown) : text, warning };
}

async function userOf(by: Call): Promise<unknown> {
  const { status, body } = await call("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", { ...by, body: whoami });
  return status === 201 ? valueAt(body, "status.userInfo") : status;
}

async function tokenOf(account: string, spec: unknown = {}): Promise<string> {
  const { body } = await call("POST", `${accounts}/${account}/token`, { body: { spec } });
  return stringAt(body, "status.token", "");
}

const certificate = { commonName: "jane", organizations: ["dev", "ops"], fingerprint: "0a" };
const jane = {
  username: "jane",
  groups: ["dev", "ops", "system:authenticated"],
  extra: { "authentication.kubernetes.io/credential-id": ["X509SHA256=0a"] },
};

test("a certificate names a user and its groups, and comes before a token", async () => {
  assert.deepEqual(await userOf({ peer: { certificate } }), jane);
  assert.deepEqual(await userOf({ peer: { certificate }, token: "nonsense" }), jane);
});

test("a caller in this process is an administrator", async () => {
  assert.deepEqual(await userOf({}), { username: "admin", groups: ["system:masters", "system:authenticated"] });
});

// What kube-apiserver v1.35.8 answers.
const anonymous: readonly (readonly [string, number, string])[] = [
  ["/healthz", 200, ""],
  ["/livez", 200, ""],
  ["/readyz", 200, ""],
  ["/version", 200, ""],
  ["/livez/ping", 403, 'forbidden: User "system:anonymous" cannot get path "/livez/ping"'],
  ["/api", 403, 'forbidden: User "system:anonymous" cannot get path "/api"'],
  ["/nothing", 403, 'forbidden: User "system:anonymous" cannot get path "/nothing"'],
  [secrets, 403, 'secrets is forbidden: User "system:anonymous" cannot list resource "secrets" in API group "" in the namespace "default"'],
];

for (const [path, status, message] of anonymous) {
  test(`without credentials ${path} answers ${status}`, async () => {
    const answer = await call("GET", path, { peer: {} });
    assert.deepEqual([answer.status, status === 200 ? "" : stringAt(answer.body, "message")], [status, message]);
  });
}

test("wrong credentials are refused, even where none are needed", async () => {
  assert.equal((await call("GET", "/healthz", { peer: {}, token: "nonsense" })).status, 401);
  assert.equal((await call("GET", "/healthz", { peer: { certificate: "untrusted" } })).status, 401);
  assert.deepEqual((await call("GET", "/api", { peer: {}, token: "a.b.c" })).body, {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "Unauthorized",
    reason: "Unauthorized",
    code: 401,
  });
});

test("a token is valid until it expires by the cluster's clock, and a minute more", async () => {
  const token = await tokenOf("default", { expirationSeconds: 600 });
  const user = await userOf({ peer: {}, token });
  assert.equal(stringAt(user, "username"), "system:serviceaccount:default:default");
  await clock.advance(659_000);
  assert.deepEqual(await userOf({ peer: {}, token }), user);
  await clock.advance(2000);
  assert.equal(await userOf({ peer: {}, token }), 401);
});

test("a token for another audience is none for the API server", async () => {
  assert.equal(await userOf({ peer: {}, token: await tokenOf("default", { audiences: ["vault"] }) }), 401);
});

test("a token with other claims than were signed is refused", async () => {
  const [head = "", claims = "", signature = ""] = (await tokenOf("default")).split(".");
  const wrong = JSON.parse(Buffer.from(claims, "base64url").toString()) as Record<string, unknown>;
  const forged = Buffer.from(JSON.stringify({ ...wrong, sub: "system:admin" })).toString("base64url");
  const unsigned = Buffer.from(JSON.stringify({ alg: "none" })).toString("base64url");
  assert.equal(await userOf({ peer: {}, token: `${head}.${forged}.${signature}` }), 401);
  assert.equal(await userOf({ peer: {}, token: `${unsigned}.${claims}.` }), 401);
});

test("a token ends with the Secret that it is bound to, and with its account", async () => {
  await call("POST", secrets, { body: { metadata: { name: "holder" } } });
  await call("POST", accounts, { body: { metadata: { name: "robot" } } });
  const bound = await tokenOf("robot", { boundObjectRef: { apiVersion: "v1", kind: "Secret", name: "holder" } });
  const plain = await tokenOf("robot");
  assert.notEqual(await userOf({ peer: {}, token: bound }), 401);
  await call("DELETE", `${secrets}/holder`);
  await call("POST", secrets, { body: { metadata: { name: "holder" } } });
  assert.equal(await userOf({ peer: {}, token: bound }), 401);
  assert.notEqual(await userOf({ peer: {}, token: plain }), 401);
  await call("DELETE", `${accounts}/robot`);
  await call("POST", accounts, { body: { metadata: { name: "robot" } } });
  assert.equal(await userOf({ peer: {}, token: plain }), 401);
});

const tokenSecret = (name: string) => ({
  metadata: { name, annotations: { "kubernetes.io/service-account.name": "keeper" } },
  type: "kubernetes.io/service-account-token",
});

test("a Secret for a service account holds its token, which is valid as long as both are there", async () => {
  const held = async (name: string) => {
    await call("POST", secrets, { body: tokenSecret(name) });
    await clock.advance(10);
    const { body } = await call("GET", `${secrets}/${name}`);
    const [data, token] = [valueAt(body, "data"), Buffer.from(stringAt(body, "data.token", ""), "base64").toString()];
    return { data, token };
  };
  await call("POST", accounts, { body: { metadata: { name: "keeper" }, secrets: [{ name: "listed" }] } });
  const { data, token } = await held("plain");
  assert.partialDeepStrictEqual(data, { "ca.crt": "UEVN", namespace: "ZGVmYXVsdA==" });
  assert.equal(stringAt(await userOf({ peer: {}, token }), "username"), "system:serviceaccount:default:keeper");
  assert.equal((await call("GET", "/api", { peer: {}, token })).warning, "");
  const { body: used } = await call("GET", `${secrets}/plain`);
  assert.deepEqual(valueAt(used, "metadata.labels"), {
    "kubernetes.io/legacy-token-last-used": new Date(clock.now()).toISOString().slice(0, 10),
  });

  const listed = await held("listed");
  // What kube-apiserver v1.35.8 warns of.
  const warned =
    "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.";
  assert.equal((await call("GET", "/api", { peer: {}, token: listed.token })).warning, `299 - "${warned}"`);
  await call("DELETE", `${secrets}/plain`);
  assert.equal(await userOf({ peer: {}, token }), 401);
  await call("DELETE", `${accounts}/keeper`);
  assert.equal(await userOf({ peer: {}, token: listed.token }), 401);
  await clock.advance(10);
  assert.equal((await call("GET", `${secrets}/listed`)).status, 404);
});

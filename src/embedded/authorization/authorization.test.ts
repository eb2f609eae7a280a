import assert from "node:assert/strict";
import { test } from "node:test";
import { VirtualClock } from "../../core/clock/index.ts";
import type { Peer } from "../../core/exchange/index.ts";
import { stringAt } from "../../core/object/index.ts";
import { startEmbeddedCluster, type AuthorizationMode } from "../index.ts";

const { signal } = new AbortController();
const group = "rbac.authorization.k8s.io";
const rbac = `/apis/${group}/v1`;

type Call = { readonly as?: string; readonly asGroup?: string; readonly peer?: Peer; readonly body?: unknown };

function start(authorization: AuthorizationMode = "RBAC") {
  const { exchange } = startEmbeddedCluster({ clock: new VirtualClock(), authorization });
  return async (method: string, path: string, { as, asGroup, peer, body }: Call = {}): Promise<string> => {
    const answer = await exchange({
      method,
      path,
      headers: {
        "content-type": "application/json",
        ...(as === undefined ? {} : { "impersonate-user": as }),
        ...(asGroup === undefined ? {} : { "impersonate-group": asGroup }),
      },
      signal,
      ...(peer === undefined ? {} : { peer }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    let text = "";
    for await (const chunk of answer.body) text += chunk.toString();
    return answer.status < 300 ? String(answer.status) : `${answer.status} ${stringAt(JSON.parse(text), "message", "")}`;
  };
}

const call = start();
const jane: Peer = { certificate: { commonName: "jane", organizations: ["dev"], fingerprint: "0" } };
const bound = (name: string, role: string, subject: object) => ({
  metadata: { name },
  roleRef: { apiGroup: group, kind: "ClusterRole", name: role },
  subjects: [subject],
});

const role = (verbs: readonly string[]) => ({ metadata: { name: "nodes" }, rules: [{ apiGroups: [""], resources: ["nodes"], verbs }] });

const impersonationRefused = (kind: string, name: string) =>
  `403 ${kind} "${name}" is forbidden: User "jane" cannot impersonate resource "${kind}" in API group "" at the cluster scope`;

test("rights begin and end with a binding, for users, groups and service accounts", async () => {
  const secrets = "/api/v1/namespaces/default/secrets";
  const refused = 'secrets is forbidden: User "jane" cannot list resource "secrets" in API group "" in the namespace "default"';
  assert.equal(await call("GET", secrets, { peer: jane }), `403 ${refused}`);
  const bindings = `${rbac}/namespaces/default/rolebindings`;
  await call("POST", bindings, { body: bound("dev", "admin", { apiGroup: group, kind: "Group", name: "dev" }) });
  assert.equal(await call("GET", secrets, { peer: jane }), "200");
  assert.match(await call("GET", "/api/v1/namespaces/kube-system/secrets", { peer: jane }), /^403/);
  await call("DELETE", `${bindings}/dev`);
  assert.match(await call("GET", secrets, { peer: jane }), /^403/);
  await call("POST", bindings, { body: bound("robot", "view", { kind: "ServiceAccount", name: "robot", namespace: "default" }) });
  assert.equal(await call("GET", "/api/v1/namespaces/default/pods", { as: "system:serviceaccount:default:robot" }), "200");
  assert.match(await call("GET", secrets, { as: "system:serviceaccount:default:robot" }), /^403/);
});

test("a change of a role counts at once", async () => {
  await call("POST", `${rbac}/clusterroles`, { body: role(["get"]) });
  await call("POST", `${rbac}/clusterrolebindings`, { body: bound("nodes", "nodes", { apiGroup: group, kind: "User", name: "rudi" }) });
  assert.match(await call("GET", "/api/v1/nodes", { as: "rudi" }), /^403/);
  await call("PUT", `${rbac}/clusterroles/nodes`, { body: role(["list"]) });
  assert.equal(await call("GET", "/api/v1/nodes", { as: "rudi" }), "200");
  await call("DELETE", `${rbac}/clusterroles/nodes`);
  const missing = `RBAC: clusterrole.${group} "nodes" not found`;
  const message = `nodes is forbidden: User "rudi" cannot list resource "nodes" in API group "" at the cluster scope: ${missing}`;
  assert.equal(await call("GET", "/api/v1/nodes", { as: "rudi" }), `403 ${message}`);
});

test("who impersonates must be allowed each part of it", async () => {
  const rules = [{ apiGroups: [""], resources: ["users"], resourceNames: ["bob"], verbs: ["impersonate"] }];
  await call("POST", `${rbac}/clusterroles`, { body: { metadata: { name: "as-bob" }, rules } });
  const binding = bound("as-bob", "as-bob", { apiGroup: group, kind: "User", name: "jane" });
  await call("POST", `${rbac}/clusterrolebindings`, { body: binding });
  assert.equal(await call("GET", "/api", { peer: jane, as: "bob" }), "200");
  assert.equal(await call("GET", "/api", { peer: jane, as: "eve" }), impersonationRefused("users", "eve"));
  assert.equal(
    await call("GET", "/api", { peer: jane, as: "bob", asGroup: "system:masters" }),
    impersonationRefused("groups", "system:masters"),
  );
  assert.equal(
    await call("GET", "/api", { peer: jane, as: "system:serviceaccount:default:default" }),
    '403 serviceaccounts "default" is forbidden: User "jane" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "default"',
  );
});

test("with AlwaysAllow everybody with credentials may do everything, and others get in nowhere", async () => {
  const free = start("AlwaysAllow");
  assert.equal(await free("GET", "/api/v1/secrets", { peer: jane }), "200");
  const all = { metadata: { name: "all" }, rules: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }] };
  assert.equal(await free("POST", `${rbac}/clusterroles`, { peer: jane, body: all }), "201");
  assert.equal(await free("GET", "/healthz", { peer: {} }), "401 Unauthorized");
});

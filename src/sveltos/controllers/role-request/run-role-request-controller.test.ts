import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { EmbeddedFleet, fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf, type Tenant } from "../../api/index.ts";
import { noTelemetry } from "../../telemetry/index.ts";
import { managedUserOf, tenantSecretName } from "../../tenant/index.ts";
import { isForbidden, newInformer } from "../../../kube/index.ts";
import { fieldsAt, listAt, mapAt, stringAt } from "../../../core/object/index.ts";
import { readYaml } from "../../../lang/yaml/index.ts";
import { runRoleRequestController } from "./run-role-request-controller.ts";

const kinds = ["ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"].map((kind) => ({
  group: "rbac.authorization.k8s.io",
  version: "v1",
  kind,
}));
const configMaps = { group: "", version: "v1", kind: "ConfigMap" };
const accounts = { group: "", version: "v1", kind: "ServiceAccount" };
const eng: Tenant = { namespace: "eng", name: "alice" };
const request = (name: string) => ({ ...gvkOf("RoleRequest"), namespace: "", name });

const roles = (name: string, verbs: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: mgmt}
data:
  role.yaml: |
    apiVersion: rbac.authorization.k8s.io/v1
    kind: Role
    metadata: {name: maps, namespace: default}
    rules: [{apiGroups: [""], resources: [configmaps], verbs: ${verbs}}]
    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: cluster-admin}
    rules: [{apiGroups: [""], resources: [nodes], verbs: [list]}]
    ---
    apiVersion: v1
    kind: Namespace
    metadata: {name: skipped}`;

const roleRequest = (name: string, spec: string) => `
apiVersion: lib.projectsveltos.io/v1beta1
kind: RoleRequest
metadata: {name: ${name}}
spec: ${spec}`;

const ofEng = (refs: string, more = "") =>
  `{serviceAccountName: alice, serviceAccountNamespace: eng, clusterSelector: {matchLabels: {env: fv}}, roleRefs: [${refs}]${more}}`;
const mapsRef = "{kind: ConfigMap, namespace: mgmt, name: roles}";

async function openFleet(t: TestContext, log = noTelemetry.log): Promise<EmbeddedFleet> {
  const context = { telemetry: { ...noTelemetry, log } };
  const fleet = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "prod" } }, context });
  t.after(() => fleet.close());
  await fleet.apply(roles("roles", "[get, list]"));
  await fleet.run(runRoleRequestController);
  return fleet;
}

async function granted(fleet: EmbeddedFleet, cluster = "c1"): Promise<readonly string[]> {
  const found = await Promise.all(kinds.map((kind) => fleet.list(kind, fleet.managed(cluster))));
  const own = found.flat().filter(({ metadata }) => metadata.labels?.["projectsveltos.io/role-request"] === "ok");
  const held = (await fleet.list(accounts, fleet.managed(cluster))).filter(({ metadata }) => metadata.name.includes("--"));
  return [...held, ...own].map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? "-"}/${metadata.name}`);
}

async function may(fleet: EmbeddedFleet, namespace: string, cluster = "c1"): Promise<boolean> {
  const tenant = fleet.managed(cluster).impersonate(managedUserOf(eng));
  try {
    await fleet.until(tenant.list(configMaps, { namespace }));
    return true;
  } catch (error) {
    assert.ok(isForbidden(error));
    return false;
  }
}

const secretOf = async (fleet: EmbeddedFleet) =>
  fleet.get({ group: "", version: "v1", kind: "Secret", namespace: fleetNamespace, name: tenantSecretName(fleet.id("c1"), eng) });

async function statusIn(fleet: EmbeddedFleet, name: string): Promise<string> {
  const object = await fleet.get(request(name));
  const whole = stringAt(object, "status.failureMessage");
  const infos = listAt(object, "status.clusterInfo").map(
    (info) => `${stringAt(info, "cluster.name", "")}: ${stringAt(info, "failureMessage") ?? stringAt(info, "status", "")}`,
  );
  return whole ?? infos.join(", ");
}

const whole = [
  "ServiceAccount projectsveltos/eng--alice",
  "ClusterRole -/access--cluster-admin",
  "ClusterRoleBinding -/access--cluster-admin",
  "Role default/access--maps",
  "RoleBinding default/access--maps",
];

test("a RoleRequest grants in matching clusters what its roles say, and all of it ends with it", async (t) => {
  const logged: string[] = [];
  const log: typeof noTelemetry.log = (level, message, { roleRequest, tenant, cluster, objectCount = "", objects = [] }) =>
    void logged.push(
      `${level} ${message} ${String(roleRequest)} ${String(tenant)} ${String(cluster)} ${String(objectCount)} ${String(objects)}`,
    );
  const fleet = await openFleet(t, log);
  await fleet.apply(roleRequest("access", ofEng(mapsRef)));
  await fleet.advance(1000);
  assert.equal(await statusIn(fleet, "access"), "c1: Provisioned");
  assert.deepEqual(await granted(fleet), whole);
  assert.deepEqual(await granted(fleet, "c2"), []);
  assert.deepEqual([await may(fleet, "default"), await may(fleet, "kube-system"), await may(fleet, "default", "c2")], [true, false, false]);
  const kubeconfig = readYaml(Buffer.from(mapAt(await secretOf(fleet), "data")["kubeconfig"] ?? "", "base64").toString(), "it");
  assert.equal(stringAt(fieldsAt(listAt(kubeconfig, "clusters")[0], "cluster"), "server"), "embedded://c1");
  assert.match(stringAt(fieldsAt(listAt(kubeconfig, "users")[0], "user"), "token", ""), /^ey/);

  fleet.written.length = 0;
  await fleet.apply(roles("roles", "[get]"));
  await fleet.advance(1000);
  assert.equal(await may(fleet, "default"), false);
  assert.deepEqual(
    fleet.written.filter((line) => line.includes(" c1 ") && !line.startsWith("PATCH")),
    [],
  );

  // Another cluster matches, and the first one no more.
  const relabel = async (name: string, env: string) => {
    const ref = { ...gvkOf("SveltosCluster"), namespace: fleetNamespace, name };
    await fleet.until(fleet.hub.patch(ref, { type: "merge", patch: { metadata: { labels: { env } } } }));
    await fleet.advance(1000);
  };
  await relabel("c1", "prod");
  await relabel("c2", "fv");
  assert.equal(await statusIn(fleet, "access"), "c2: Provisioned");
  assert.deepEqual([await granted(fleet), await granted(fleet, "c2")], [[], whole]);
  assert.equal(await secretOf(fleet), undefined);

  await fleet.until(fleet.hub.delete(request("access")));
  await fleet.advance(1000);
  assert.equal(await fleet.get(request("access")), undefined);
  assert.deepEqual(await granted(fleet, "c2"), []);
  assert.equal(
    (await fleet.get({ ...kinds[0]!, namespace: "", name: "cluster-admin" }, fleet.managed("c2")))?.metadata.name,
    "cluster-admin",
  );
  const bound =
    "Role default/access--maps,RoleBinding default/access--maps,ClusterRole access--cluster-admin,ClusterRoleBinding access--cluster-admin";
  assert.deepEqual(
    logged.map((line) => line.trim()),
    [
      `info granted access eng/alice Sveltos/mgmt/c1 4 ${bound}`,
      `info grant changed access eng/alice Sveltos/mgmt/c1 4 ${bound}`,
      "info grant withdrawn access eng/alice Sveltos/mgmt/c1",
      `info granted access eng/alice Sveltos/mgmt/c2 4 ${bound}`,
      "info grant withdrawn access eng/alice Sveltos/mgmt/c2",
    ],
  );
});

test("tokens are renewed before they expire, and a lost kubeconfig is made anew", async (t) => {
  const fleet = await openFleet(t);
  await fleet.apply(roleRequest("access", ofEng(mapsRef, ", expirationSeconds: 3600")));
  await fleet.advance(1000);
  const dataOf = async () => mapAt(await secretOf(fleet), "data")["kubeconfig"];
  const first = await dataOf();
  await fleet.advance(2_800_000);
  assert.equal(await dataOf(), first);
  await fleet.advance(100_000);
  const second = await dataOf();
  assert.notEqual(second, first);
  await fleet.until(
    fleet.hub.delete({ group: "", version: "v1", kind: "Secret", namespace: fleetNamespace, name: tenantSecretName(fleet.id("c1"), eng) }),
  );
  await fleet.advance(1000);
  assert.ok((await dataOf()) !== undefined);
});

test("two RoleRequests of one tenant share its account, and a changed one leaves no account behind", async (t) => {
  const fleet = await openFleet(t);
  await fleet.apply(roleRequest("access", ofEng(mapsRef)));
  await fleet.apply(roleRequest("more", ofEng(mapsRef)));
  await fleet.advance(1000);
  assert.equal((await granted(fleet)).length, 9);
  await fleet.until(fleet.hub.delete(request("more")));
  await fleet.advance(1000);
  assert.deepEqual(await granted(fleet), whole);
  await fleet.apply(roleRequest("access", ofEng(mapsRef).replace("alice", "bob")));
  await fleet.advance(1000);
  assert.equal(await may(fleet, "default"), false);
  assert.equal((await granted(fleet))[0], "ServiceAccount projectsveltos/eng--bob");
  assert.equal((await granted(fleet)).length, 5);
  assert.equal(await secretOf(fleet), undefined);
});

test("what somebody changes or deletes of a grant in a managed cluster is put back, with a token that works", async (t) => {
  const logged: string[] = [];
  const fleet = await openFleet(t, (_level, message) => void logged.push(message));
  const managed = fleet.managed("c1");
  await fleet.apply(roleRequest("access", ofEng(mapsRef)));
  await fleet.advance(1000);
  const role = { ...kinds[2]!, namespace: "default", name: "access--maps" };
  const binding = { ...kinds[3]!, namespace: "default", name: "access--maps" };
  const clusterRole = { ...kinds[0]!, namespace: "", name: "access--cluster-admin" };
  const account = { ...accounts, namespace: "projectsveltos", name: "eng--alice" };
  const merge = (ref: typeof role, patch: object) => managed.patch(ref, { type: "merge", patch });
  const forgery = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "RoleBinding",
    metadata: { name: binding.name, namespace: "default" },
  };
  const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" };
  const changes: Record<string, () => Promise<unknown>> = {
    "rules taken away": () => merge(role, { rules: [] }),
    "labels taken off": () => merge(role, { metadata: { labels: null } }),
    "a subject more": () => merge(binding, { subjects: [{ kind: "ServiceAccount", namespace: "default", name: "default" }] }),
    "a rule of aggregation": () => merge(clusterRole, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: "b" } }] } }),
    "a role that is deleted": () => managed.delete(role),
    "a binding to something else": async () => {
      await managed.delete(binding);
      await managed.create({ ...forgery, roleRef, subjects: [] });
    },
    "an account that is deleted": () => managed.delete(account),
  };
  const specOf = async (ref: typeof role) => {
    const object = await fleet.get(ref, managed);
    return ["rules", "roleRef", "subjects", "aggregationRule"].map((field) => object?.[field]).concat(object?.metadata.labels);
  };
  const all = () => Promise.all([role, binding, clusterRole].map(specOf));
  const before = await all();
  const tokenOf = async () => mapAt(await secretOf(fleet), "data")["kubeconfig"];
  const token = await tokenOf();
  for (const [name, change] of Object.entries(changes)) {
    const restored = logged.length;
    await fleet.until(change());
    await fleet.advance(300_000);
    assert.deepEqual(await all(), before, name);
    assert.deepEqual(await granted(fleet), whole, name);
    assert.equal(await may(fleet, "default"), true, name);
    assert.deepEqual([...new Set(logged.slice(restored))], ["grant restored"], name);
  }
  assert.notEqual(await tokenOf(), token, "the token of an account that was deleted is worth nothing");
  // What the controller does itself is no drift.
  logged.length = 0;
  await fleet.apply(roles("roles", "[get]"));
  await fleet.advance(1000);
  await fleet.until(fleet.hub.delete(request("access")));
  await fleet.advance(60_000);
  assert.deepEqual(logged, ["grant changed", "grant withdrawn"]);
  assert.deepEqual(await granted(fleet), []);
});

const refusals: Record<string, { spec: string; says: string | RegExp }> = {
  "content that is missing": {
    spec: ofEng("{kind: Secret, namespace: mgmt, name: none}"),
    says: "c1: there is no Secret mgmt/none, which therefore grants nothing",
  },
  "a Role without a namespace": {
    spec: ofEng("{kind: ConfigMap, namespace: mgmt, name: bare}"),
    says: "c1: read the roles of RoleRequest access: ConfigMap mgmt/bare, a: Role maps names no namespace: name the one in which it holds",
  },
  "no ServiceAccount": { spec: "{roleRefs: []}", says: "spec.serviceAccountName: is missing\nspec.serviceAccountNamespace: is missing" },
  "a namespace that could be taken for another": {
    spec: ofEng(mapsRef).replace("eng,", "eng--x,"),
    says: '"eng--x" cannot be the namespace of a tenant: it must be a name without --',
  },
  "a role whose name somebody else has": {
    spec: ofEng(mapsRef),
    says: "c1: role/access--maps is in the cluster already and belongs to somebody else: rename the role or the RoleRequest",
  },
};

test("a RoleRequest that is refused says why and grants nothing", async (t) => {
  const fleet = await openFleet(t);
  await fleet.apply(`
apiVersion: v1
kind: ConfigMap
metadata: {name: bare, namespace: mgmt}
data: {a: '{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: maps}, rules: []}'}`);
  const foreign = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "access--maps", namespace: "default" },
    rules: [],
  };
  for (const [name, { spec, says }] of Object.entries(refusals)) {
    if (name.includes("somebody else")) await fleet.until(fleet.managed("c1").create(foreign));
    await fleet.apply(roleRequest("access", spec));
    await fleet.advance(1000);
    assert.equal(await statusIn(fleet, "access"), says, name);
    assert.equal(await may(fleet, "default"), false, name);
    await fleet.until(fleet.hub.delete(request("access")));
    await fleet.advance(1000);
    assert.equal(await fleet.get(request("access")), undefined, name);
  }
});

test("a RoleRequest waits for a cluster that does not answer, and does not for one that is gone", async (t) => {
  const fleet = await openFleet(t);
  await fleet.apply(roleRequest("access", ofEng(mapsRef)));
  await fleet.advance(1000);
  fleet.unreachable.add("c1");
  await fleet.advance(60_000);
  await fleet.until(fleet.hub.delete(request("access")));
  await fleet.advance(60_000);
  assert.ok(await fleet.get(request("access")));
  fleet.unreachable.delete("c1");
  await fleet.advance(60_000);
  assert.equal(await fleet.get(request("access")), undefined);
  assert.deepEqual(await granted(fleet), []);
  await fleet.apply(roleRequest("access", ofEng(mapsRef)));
  await fleet.advance(1000);
  await fleet.until(fleet.hub.delete({ ...gvkOf("SveltosCluster"), namespace: fleetNamespace, name: "c1" }));
  await fleet.until(fleet.hub.delete(request("access")));
  await fleet.advance(1000);
  assert.equal(await fleet.get(request("access")), undefined);
  assert.equal(await secretOf(fleet), undefined);
});

const clusterRoles = (...roles: readonly (readonly [name: string, resource: string])[]) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: several, namespace: mgmt}
data:
  roles.yaml: |
${roles
  .map(
    ([name, resource]) => `    ---
    apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: ${name}}
    rules: [{apiGroups: [""], resources: [${resource}], verbs: ["*"]}]`,
  )
  .join("\n")}`;
const several = ofEng("{kind: ConfigMap, namespace: mgmt, name: several}");
const foreignRole = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata: { name: "part--zzz" }, rules: [] };
const isRight = (title: string) => !title.startsWith("ServiceAccount");
const grantedNames = async (fleet: EmbeddedFleet) => (await granted(fleet)).filter(isRight).map((title) => title.replace("-/", ""));
const leftIn = async (fleet: EmbeddedFleet, name: string) => {
  const [info] = listAt(await fleet.get(request(name)), "status.clusterInfo");
  return [stringAt(info, "status"), info?.["granted"]];
};
const lines = (logged: string[]): typeof noTelemetry.log => {
  return (level, message, { objectCount }) => void logged.push(`${level} ${message} ${String(objectCount)}`);
};

test("a RoleRequest of which one role cannot be granted grants none of them", async (t) => {
  const logged: string[] = [];
  const fleet = await openFleet(t, lines(logged));
  await fleet.until(fleet.managed("c1").create(foreignRole));
  await fleet.apply(clusterRoles(["aaa", "secrets"], ["zzz", "pods"]));
  await fleet.apply(roleRequest("part", several));
  await fleet.advance(60_000);
  assert.match(await statusIn(fleet, "part"), /^c1: clusterrole\/part--zzz is in the cluster already and belongs to somebody else/);
  assert.deepEqual(await grantedNames(fleet), []);
  assert.deepEqual(await leftIn(fleet, "part"), ["Failed", undefined]);
  assert.deepEqual(logged, ["warn grant failed 0"]);
  await fleet.until(fleet.managed("c1").delete({ ...kinds[0]!, namespace: "", name: "part--zzz" }));
  await fleet.advance(300_000);
  assert.equal(await statusIn(fleet, "part"), "c1: Provisioned");
  assert.equal((await grantedNames(fleet)).length, 4);
  assert.deepEqual(logged.slice(1), ["info granted 4"]);
});

test("a role that the API server would refuse keeps the others from being granted", async (t) => {
  const fleet = await openFleet(t);
  const seen = watchedNames(t, fleet);
  await fleet.apply(clusterRoles(["aaa", "secrets"], ["zzz", "pods"]).replace('resources: [pods], verbs: ["*"]', "resources: [pods]"));
  await fleet.apply(roleRequest("part", several));
  await fleet.advance(60_000);
  assert.match(await statusIn(fleet, "part"), /verbs: Required value/);
  assert.deepEqual(await grantedNames(fleet), []);
  assert.deepEqual([seen.has("cluster-admin"), seen.has("part--aaa")], [true, false], "not even for a moment");
});

/** The names of all ClusterRoles that a managed cluster has from now on, be it for a moment. */
function watchedNames(t: TestContext, fleet: EmbeddedFleet): ReadonlySet<string> {
  const names = new Set<string>();
  const ended = new AbortController();
  t.after(() => ended.abort());
  const follow = async () => {
    for await (const event of newInformer(fleet.managed("c1"), kinds[0]!, { signal: ended.signal }))
      if ("object" in event) names.add(event.object.metadata.name);
  };
  follow().catch((error: unknown) => assert.ok(ended.signal.aborted, String(error)));
  return names;
}

test("a grant that is changed into one that fails keeps what both have, and says so", async (t) => {
  const logged: string[] = [];
  const fleet = await openFleet(t, lines(logged));
  await fleet.until(fleet.managed("c1").create(foreignRole));
  await fleet.apply(clusterRoles(["aaa", "secrets"], ["bbb", "nodes"], ["ccc", "pods"]));
  await fleet.apply(roleRequest("part", several));
  await fleet.advance(1000);
  assert.equal(await statusIn(fleet, "part"), "c1: Provisioned");
  // One is gone, one is narrower, one is as it was, one is new, and one cannot be granted.
  await fleet.apply(clusterRoles(["bbb", "events"], ["ccc", "pods"], ["new", "services"], ["zzz", "pods"]));
  await fleet.advance(60_000);
  const both = ["ClusterRole part--ccc", "ClusterRoleBinding part--ccc"];
  assert.match(await statusIn(fleet, "part"), /belongs to somebody else/);
  assert.deepEqual(await grantedNames(fleet), both);
  assert.deepEqual(await leftIn(fleet, "part"), ["Failed", ["ClusterRole part--ccc"]]);
  assert.deepEqual(logged, ["info granted 6", "warn grant failed 2"]);
  // Content that cannot be read leaves what is there.
  await fleet.apply(clusterRoles(["ccc", "pods"]).replace("kind: ClusterRole", "kind: [ClusterRole"));
  await fleet.advance(60_000);
  assert.deepEqual(await grantedNames(fleet), both);
  assert.deepEqual(await leftIn(fleet, "part"), ["FailedNonRetriable", ["ClusterRole part--ccc"]]);
  await fleet.apply(clusterRoles(["ccc", "pods"]));
  await fleet.advance(60_000);
  assert.deepEqual(await grantedNames(fleet), both);
  assert.deepEqual(await leftIn(fleet, "part"), ["Provisioned", undefined]);
});

test("content that is missing grants nothing, nor does what is beside it", async (t) => {
  const logged: string[] = [];
  const fleet = await openFleet(t, lines(logged));
  await fleet.apply(roleRequest("access", ofEng(`${mapsRef}, {kind: ConfigMap, namespace: mgmt, name: none}`)));
  await fleet.advance(60_000);
  assert.equal(await statusIn(fleet, "access"), "c1: there is no ConfigMap mgmt/none, which therefore grants nothing");
  assert.deepEqual(await grantedNames(fleet), []);
  assert.deepEqual(logged, ["warn grant failed 0"]);
});

test("what was written of a grant whose last write fails is withdrawn", async (t) => {
  const logged: string[] = [];
  const fleet = await openFleet(t, lines(logged));
  await fleet.apply(clusterRoles(["aaa", "secrets"], ["zzz", "pods"]));
  const written: string[] = [];
  fleet.afterWrite = (line) => void written.push(line);
  const last = /clusterrolebindings\/part--zzz\?(?!.*dryRun=).*fieldManager=/;
  fleet.forbids = (cluster, path) => cluster === "c1" && last.test(path);
  await fleet.apply(roleRequest("part", several));
  await fleet.advance(1000);
  assert.ok(written.some((line) => line.includes("clusterrolebindings/part--aaa")));
  assert.match(await statusIn(fleet, "part"), /you may not/);
  assert.deepEqual(await grantedNames(fleet), []);
  assert.deepEqual([...new Set(logged)], ["warn grant failed 0"]);
  fleet.forbids = () => false;
  await fleet.advance(300_000);
  assert.equal((await grantedNames(fleet)).length, 4);
});

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { labelsOf, roleYaml, TenantFixture } from "../../../../test/support/tenant-fixture.ts";
import { eventReportName, gvkOf, sveltosCrds } from "../../api/index.ts";
import { runAgent } from "../../agent/index.ts";
import { managedUserOf } from "../../tenant/index.ts";
import { noTelemetry } from "../../telemetry/index.ts";
import { listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { runEventSourceController } from "../event-source/index.ts";
import { runProfileController } from "../profile/index.ts";
import { runRoleRequestController } from "../role-request/index.ts";
import { runSummaryController } from "../cluster-summary/index.ts";
import { runTriggerController } from "../event-trigger/index.ts";

const alice = { namespace: "eng", name: "alice" };
const bob = { namespace: "ops", name: "bob" };
const secrets = { group: "", version: "v1", kind: "Secret" };
const rules = (resources: string[]) => [{ apiGroups: [""], resources, verbs: ["*"] }];

/** What the log says on a tenant's word. */
const logged: string[] = [];
const log: typeof noTelemetry.log = (level, message, { tenant, eventSource, trigger: of, profile, cluster, error }) => {
  if (message === "denied") logged.push([level, message, tenant, eventSource ?? of ?? profile, cluster, error].map(String).join(" "));
};

const fixture = await TenantFixture.open(
  { clusters: { c1: { env: "fv" } }, context: { telemetry: { ...noTelemetry, log } } },
  runEventSourceController,
  runTriggerController,
  runProfileController,
  runRoleRequestController,
  runSummaryController,
);
after(() => fixture.close());
const { fleet } = fixture;
const managed = fleet.managed("c1");
await fixture.allowReading(alice, "eng");
await fixture.grant("alice", alice, "fv", [roleYaml("a", rules(["configmaps", "secrets"]), "team-a")]);
await fixture.grant("bob", bob, "fv", [roleYaml("b", rules(["configmaps", "secrets"]), "team-b")]);
for (const namespace of ["team-a", "team-b"])
  await fleet.apply(
    `{apiVersion: v1, kind: Secret, metadata: {name: password, namespace: ${namespace}}, stringData: {p: ${namespace}}}`,
    managed,
  );

const source = (name: string, labels: object, namespace = "") => ({
  apiVersion: "lib.projectsveltos.io/v1beta1",
  kind: "EventSource",
  metadata: { name, labels },
  spec: { collectResources: true, resourceSelectors: [{ group: "", version: "v1", kind: "Secret", namespace }] },
});
const trigger = (name: string, labels: object, eventSourceName: string, content = "eng/answer") => {
  const [namespace = "", ref = ""] = content.split("/");
  return {
    apiVersion: "lib.projectsveltos.io/v1beta1",
    kind: "EventTrigger",
    metadata: { name, labels },
    spec: {
      sourceClusterSelector: { matchLabels: { env: "fv" } },
      eventSourceName,
      oneForEvent: true,
      policyRefs: [{ kind: "ConfigMap", namespace, name: ref }],
    },
  };
};
const answer = (namespace: string, name: string, to = "team-a") => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace, annotations: { "projectsveltos.io/instantiate": "ok" } },
  data: {
    a: `{apiVersion: v1, kind: ConfigMap, metadata: {name: "answer-{{ .Resource.metadata.namespace }}", namespace: ${to}}, data: {p: "{{ .Resource.data.p }}"}}`,
  },
});
await fixture.apply(answer("eng", "answer"), answer("mgmt", "foreign"), answer("eng", "elsewhere", "team-b"));

const matches = async (name: string) => {
  const report = await fleet.get({ ...gvkOf("EventReport"), namespace: fleetNamespace, name: eventReportName(name, fleet.id("c1")) });
  return listAt(report, "spec.matchingResources").map((each) => `${stringAt(each, "namespace", "")}/${stringAt(each, "name", "")}`);
};
const failure = (object: KubeObject | undefined) =>
  stringAt(object, "status.failureMessage") ??
  listAt(object, "status.clusterInfo")
    .flatMap((info) => [stringAt(info, "failureMessage"), ...listAt(info, "failures").map((each) => stringAt(each, "message"))])
    .find((each) => each !== undefined);
const failureOf = async (kind: "EventSource" | "EventTrigger", name: string) =>
  failure(await fleet.get({ ...gvkOf(kind), namespace: "", name }));
const answers = async () =>
  (await fleet.list({ group: "", version: "v1", kind: "ConfigMap" }, managed)).flatMap(({ metadata: { namespace, name } }) =>
    name.startsWith("answer-") ? [`${namespace}/${name}`] : [],
  );
const remove = async (kind: "EventSource" | "EventTrigger", name: string) => {
  await fleet.until(fleet.hub.delete({ ...gvkOf(kind), namespace: "", name }));
  await fleet.advance(5000);
};

test("a tenant's events are about what it may read, and the answer is deployed as the tenant", async () => {
  await fixture.apply(source("own", labelsOf(alice), "team-a"), trigger("own", labelsOf(alice), "own"));
  await fleet.advance(5000);
  assert.deepEqual(await matches("own"), ["team-a/password"]);
  assert.deepEqual(await answers(), ["team-a/answer-team-a"]);
  const [profile] = await fleet.list(gvkOf("ClusterProfile"));
  assert.equal(profile?.metadata.labels?.["projectsveltos.io/serviceaccount-name"], "alice");
  await remove("EventTrigger", "own");
  assert.deepEqual(await answers(), []);
});

const denials: Record<string, { source: object; trigger: object; of: "EventSource" | "EventTrigger"; says: RegExp; logs?: string }> = {
  "resources of another namespace": {
    source: source("denied", labelsOf(alice), "team-b"),
    trigger: trigger("denied", labelsOf(alice), "denied"),
    of: "EventSource",
    says: /User "system:serviceaccount:projectsveltos:eng--alice" cannot list resource "secrets" in API group "" in the namespace "team-b"/,
  },
  "resources of all namespaces": {
    source: source("denied", labelsOf(alice)),
    trigger: trigger("denied", labelsOf(alice), "denied"),
    of: "EventSource",
    says: /cannot list resource "secrets" in API group "" at the cluster scope/,
  },
  "the EventSource of another tenant": {
    source: source("denied", labelsOf(bob), "team-b"),
    trigger: trigger("denied", labelsOf(alice), "denied"),
    of: "EventTrigger",
    logs: "eng/alice EventTrigger/denied Sveltos/mgmt/c1",
    says: /it is of ServiceAccount ops\/bob, and the trigger of ServiceAccount eng\/alice: a tenant can use its own EventSources only/,
  },
  "the EventSource of the platform": {
    source: source("denied", {}, "team-b"),
    trigger: trigger("denied", labelsOf(alice), "denied"),
    of: "EventTrigger",
    logs: "eng/alice EventTrigger/denied Sveltos/mgmt/c1",
    says: /it is of those who run the platform, and the trigger of/,
  },
  "content that it may not read": {
    source: source("denied", labelsOf(alice), "team-a"),
    trigger: trigger("denied", labelsOf(alice), "denied", "mgmt/foreign"),
    of: "EventTrigger",
    logs: "eng/alice EventTrigger/denied Sveltos/mgmt/c1",
    says: /ServiceAccount eng\/alice in the management cluster: .*cannot get resource "configmaps" in API group "" in the namespace "mgmt"/,
  },
  "an unknown tenant": {
    source: source("denied", { "projectsveltos.io/admin-name": "nobody" }, "team-a"),
    trigger: trigger("denied", { "projectsveltos.io/admin-name": "nobody" }, "denied"),
    of: "EventSource",
    logs: "undefined denied undefined",
    says: /its label projectsveltos.io\/admin-name: nobody names no tenant/,
  },
  "a namespace to deploy to": {
    source: source("denied", labelsOf(alice), "team-a"),
    trigger: trigger("denied", labelsOf(alice), "denied", "eng/elsewhere"),
    of: "EventTrigger",
    logs: "eng/alice ClusterProfile/",
    says: /ServiceAccount eng\/alice in cluster mgmt\/c1: .*cannot get resource "configmaps" in API group "" in the namespace "team-b"/,
  },
};

test("a tenant is denied what it may not see or deploy, and the status says what and where", async () => {
  for (const [name, denial] of Object.entries(denials)) {
    logged.length = 0;
    await fixture.apply(denial.source, denial.trigger);
    // A denial is retried, and is news once.
    await fleet.advance(300_000);
    assert.match((await failureOf(denial.of, "denied")) ?? "nothing", denial.says, name);
    const { logs = "eng/alice denied Sveltos/mgmt/c1" } = denial;
    const lines = logged.filter((line) => denial.says.test(line) && line.startsWith(`warn denied ${logs}`));
    assert.equal(lines.length, 1, `${name}: ${logged.join("\n")}`);
    assert.equal(new Set(logged).size, logged.length, name);
    assert.deepEqual(await answers(), [], name);
    await remove("EventTrigger", "denied");
    await remove("EventSource", "denied");
    assert.deepEqual(await fleet.list(gvkOf("ClusterProfile")), [], name);
  }
});

test("a trigger does not take the name, and what is made for it, from another tenant's of another kind", async () => {
  const addOn = { ...trigger("named", labelsOf(alice), "own"), kind: "EventBasedAddOn" };
  await fixture.apply(source("own", labelsOf(alice), "team-a"), addOn);
  await fleet.advance(5000);
  assert.deepEqual(await answers(), ["team-a/answer-team-a"]);
  const profiles = (await fleet.list(gvkOf("ClusterProfile"))).map(({ metadata }) => metadata.uid);
  await fixture.apply(source("bobs", labelsOf(bob), "team-b"), trigger("named", labelsOf(bob), "bobs"));
  await fleet.advance(5000);
  assert.match((await failureOf("EventTrigger", "named")) ?? "nothing", /^EventBasedAddOn named has the name already/);
  assert.deepEqual(await answers(), ["team-a/answer-team-a"]);
  assert.deepEqual(
    (await fleet.list(gvkOf("ClusterProfile"))).map(({ metadata }) => metadata.uid),
    profiles,
  );
  await remove("EventTrigger", "named");
  assert.deepEqual(await answers(), ["team-a/answer-team-a"]);
  await fleet.until(fleet.hub.delete({ ...gvkOf("EventBasedAddOn"), namespace: "", name: "named" }));
  await fleet.advance(5000);
  assert.deepEqual(await answers(), []);
  for (const name of ["own", "bobs"]) await remove("EventSource", name);
});

test("an EventSource that is another tenant's now keeps nothing of the one before", async () => {
  await fixture.apply(source("moved", labelsOf(alice), "team-a"), trigger("moved", {}, "moved"));
  await fleet.advance(2000);
  assert.deepEqual(await matches("moved"), ["team-a/password"]);
  await fixture.apply(source("moved", labelsOf(bob), "team-a"));
  await fleet.advance(5000);
  assert.deepEqual(await matches("moved"), []);
  await remove("EventTrigger", "moved");
});

/** Somebody in the managed cluster lets carol read there, without any RoleRequest. */
const carol = { namespace: "eng", name: "carol" };
const byHand = {
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "ClusterRoleBinding",
  metadata: { name: "by-hand" },
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
  subjects: [{ apiGroup: "rbac.authorization.k8s.io", kind: "User", name: managedUserOf(carol) }],
};
const ungranted =
  /^ServiceAccount eng\/carol in cluster mgmt\/c1: nothing is granted to it there: no RoleRequest of it is provisioned in that cluster$/;
const reportExists = async (name: string) =>
  (await fleet.get({ ...gvkOf("EventReport"), namespace: fleetNamespace, name: eventReportName(name, fleet.id("c1")) })) !== undefined;
const endGrant = async () => {
  await fleet.until(fleet.hub.delete({ ...gvkOf("RoleRequest"), namespace: "", name: "carol" }));
  await fleet.advance(5000);
};
const addPassword = (name: string) =>
  fleet.apply(`{apiVersion: v1, kind: Secret, metadata: {name: ${name}, namespace: team-a}, stringData: {p: new}}`, managed);

async function evaluatesByGrantOnly(): Promise<void> {
  logged.length = 0;
  await fixture.apply(source("carols", labelsOf(carol), "team-a"), trigger("carols", labelsOf(carol), "carols"));
  await fleet.advance(10_000);
  assert.match((await failureOf("EventSource", "carols")) ?? "nothing", ungranted);
  assert.equal(await reportExists("carols"), false);
  assert.equal(logged.filter((line) => /^warn denied eng\/carol carols Sveltos\/mgmt\/c1 .*nothing is granted/.test(line)).length, 1);
  await fixture.grant("carol", carol, "fv", [roleYaml("c", rules(["configmaps"]), "team-a")]);
  await fleet.advance(10_000);
  assert.equal(await failureOf("EventSource", "carols"), undefined);
  assert.deepEqual(await matches("carols"), ["team-a/password"]);
  // When the grant ends, what was found stays, and nothing is found any more.
  await endGrant();
  await addPassword("another");
  await fleet.advance(10_000);
  assert.match((await failureOf("EventSource", "carols")) ?? "nothing", ungranted);
  assert.deepEqual(await matches("carols"), ["team-a/password"]);
  await fixture.grant("carol", carol, "fv", [roleYaml("c", rules(["configmaps"]), "team-a")]);
  await fleet.advance(10_000);
  assert.deepEqual(await matches("carols"), ["team-a/another", "team-a/password"]);
  // Somebody else's EventSource now: nothing of what was found for it before is kept, granted or not.
  await fixture.apply(source("carols", labelsOf({ namespace: "eng", name: "dora" }), "team-a"));
  await fleet.advance(10_000);
  assert.deepEqual(await matches("carols"), []);
  await remove("EventTrigger", "carols");
  await remove("EventSource", "carols");
  await endGrant();
  await fleet.until(managed.delete({ ...secrets, namespace: "team-a", name: "another" }));
}

test("a tenant's EventSource is evaluated by a grant only, whatever the managed cluster lets the tenant do", async () => {
  await fleet.until(managed.create(byHand));
  await evaluatesByGrantOnly();
});

test("an agent evaluates as the tenant too", async () => {
  for (const crd of sveltosCrds()) await fleet.until(managed.create(crd));
  await fleet.advance(1000);
  const stop = new AbortController();
  const agent = runAgent(managed, { identity: "agent" }, stop.signal);
  await fleet.advance(5000);
  await fixture.apply(
    source("mine", { "projectsveltos.io/admin-name": "alice" }, "team-a"),
    trigger("mine", labelsOf(alice), "mine"),
    source("theirs", labelsOf(alice), "team-b"),
    trigger("theirs", labelsOf(alice), "theirs"),
  );
  await fleet.advance(10_000);
  const copy = await fleet.get({ ...gvkOf("EventSource"), namespace: "", name: "mine" }, managed);
  assert.deepEqual(copy?.metadata.labels, labelsOf(alice));
  assert.deepEqual([await matches("mine"), await matches("theirs")], [["team-a/password"], []]);
  assert.deepEqual(await answers(), ["team-a/answer-team-a"]);
  assert.match(
    (await failureOf("EventSource", "theirs")) ?? "nothing",
    /cannot list resource "secrets" in API group "" in the namespace "team-b"/,
  );
  for (const name of ["mine", "theirs"]) {
    await remove("EventTrigger", name);
    await remove("EventSource", name);
  }
  await evaluatesByGrantOnly();
  stop.abort();
  await fleet.until(agent);
  assert.equal((await fleet.list(secrets, managed)).filter(({ metadata }) => metadata.name === "password").length, 2);
});

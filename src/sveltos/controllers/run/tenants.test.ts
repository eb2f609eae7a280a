import assert from "node:assert/strict";
import { after, test } from "node:test";
import { channelTasks } from "../../../../test/support/deploy/channel-tasks.ts";
import { fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { labelsOf, roleYaml, TenantFixture } from "../../../../test/support/tenant-fixture.ts";
import { gvkOf } from "../../api/index.ts";
import { noTelemetry } from "../../telemetry/index.ts";
import { tenantSecretName } from "../../tenant/index.ts";
import { fieldsAt, listAt, refOf, stringAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import type { TaskRunner } from "../../../worker/index.ts";
import { runProfileController } from "../profile/index.ts";
import { runRoleRequestController } from "../role-request/index.ts";
import { runSummaryController } from "../cluster-summary/index.ts";

const alice = { namespace: "eng", name: "alice" };
const map = (namespace: string, name: string) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data: { v: "1" } });
const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "s", namespace: "default" } };
const maps = roleYaml("maps", [{ apiGroups: [""], resources: ["configmaps"], verbs: ["*"] }], "default");

const logged: Record<string, unknown>[] = [];
const telemetry = { ...noTelemetry, log: (_level: string, message: string, fields = {}) => void logged.push({ message, ...fields }) };
const owners: string[] = [];
const workers = channelTasks({ now: () => 0, randomBytes: (count) => new Uint8Array(count) });
const tasks: TaskRunner = { run: (task, signal) => (owners.push(task.owner), workers.run(task, signal)) };
const fixture = await TenantFixture.open(
  { clusters: { c1: { env: "fv" }, c2: { env: "prod" } }, context: { telemetry, tasks } },
  runProfileController,
  runRoleRequestController,
  runSummaryController,
);
after(() => fixture.close());
const { fleet } = fixture;
const isThere = async (namespace: string, name: string, cluster = "c1") =>
  (await fleet.get(refOf(map(namespace, name)), fleet.managed(cluster))) !== undefined;
const deleteProfile = async (name: string) => {
  await fleet.until(fleet.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name }));
  await fleet.advance(1000);
};

await fixture.allowReading(alice, "eng");
await fixture.grant("access", alice, "fv", [maps]);
await fixture.content("eng", "own", map("default", "own"));
await fixture.content("eng", "system", map("kube-system", "stolen"));
await fixture.content("eng", "secret", secret);
await fixture.content("mgmt", "foreign", map("default", "foreign"));

test("a tenant's profile deploys what is granted, and the log says who, what, where and by which grant", async () => {
  logged.length = 0;
  await fixture.profile("own", labelsOf(alice), "fv", "eng/own");
  assert.equal(await fixture.state("own"), "Provisioned");
  assert.ok(await isThere("default", "own"));
  const { message, tenant, roleRequests, cluster, profile, objects } = logged.find((line) => line["message"] === "deployed") ?? {};
  assert.deepEqual(
    { message, tenant, roleRequests, cluster, profile, objects },
    {
      message: "deployed",
      tenant: "eng/alice",
      roleRequests: ["access"],
      cluster: "Sveltos/mgmt/c1",
      profile: "ClusterProfile/own",
      objects: ["ConfigMap default/own"],
    },
  );
});

test("the templates of all profiles of a tenant take the turns of one", async () => {
  const annotations = { "projectsveltos.io/template": "ok" };
  for (const name of ["one", "two"]) {
    const text = `{apiVersion: v1, kind: ConfigMap, metadata: {name: ${name}, namespace: default}, data: {v: "{{ 1 }}"}}`;
    await fixture.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "eng", annotations }, data: { text } });
    await fixture.profile(name, labelsOf(alice), "fv", `eng/${name}`);
    assert.equal(await fixture.state(name), "Provisioned");
    logged.length = 0;
    await deleteProfile(name);
    const { objectCount, objects } = logged.find(({ message }) => message === "withdrawn") ?? {};
    assert.deepEqual([objectCount, objects], [1, [`ConfigMap default/${name}`]]);
  }
  assert.deepEqual([...new Set(owners)], ["system:serviceaccount:projectsveltos:eng--alice"]);
});

const where = "ServiceAccount eng/alice in cluster mgmt/c1: ";
const user = 'User "system:serviceaccount:projectsveltos:eng--alice"';
const denials: Record<string, { content: string; env?: string; cluster?: string; objects?: readonly string[]; says: string }> = {
  "another namespace": {
    content: "eng/system",
    objects: ["ConfigMap kube-system/stolen"],
    says: `${where}ConfigMap eng/system m0:1: configmap/stolen: configmaps "stolen" is forbidden: ${user} cannot get resource "configmaps" in API group "" in the namespace "kube-system"`,
  },
  "another kind": {
    content: "eng/secret",
    objects: ["Secret default/s"],
    says: `${where}ConfigMap eng/secret m0:1: secret/s: secrets "s" is forbidden: ${user} cannot get resource "secrets" in API group "" in the namespace "default"`,
  },
  "content that it may not read": {
    content: "mgmt/foreign",
    says: `ServiceAccount eng/alice in the management cluster: get configmaps mgmt/foreign: configmaps "foreign" is forbidden: User "system:serviceaccount:eng:alice" cannot get resource "configmaps" in API group "" in the namespace "mgmt"`,
  },
  "another cluster": {
    content: "eng/own",
    env: "prod",
    cluster: "c2",
    says: "ServiceAccount eng/alice in cluster mgmt/c2: nothing is granted to it there: no RoleRequest of it is provisioned in that cluster",
  },
};

for (const [name, { content, env = "fv", cluster = "c1", objects = [], says }] of Object.entries(denials)) {
  test(`a tenant's profile is denied ${name}, and its status says what and where`, async () => {
    logged.length = 0;
    await fixture.profile("denied", labelsOf(alice), env, content);
    const state = await fixture.state("denied", cluster);
    assert.equal(state, says);
    const lines = logged.filter(({ message }) => message === "denied" || message === "failed");
    assert.deepEqual(
      lines.map(({ seconds: _seconds, ...fields }) => fields),
      [
        {
          message: "denied",
          profile: "ClusterProfile/denied",
          cluster: `Sveltos/mgmt/${cluster}`,
          clusterSummary: `denied-sveltos-${cluster}`,
          tenant: "eng/alice",
          roleRequests: cluster === "c1" ? ["access"] : [],
          objectCount: objects.length,
          objects,
          error: says,
        },
      ],
    );
    assert.deepEqual(
      [await isThere("kube-system", "stolen"), await isThere("default", "foreign"), await isThere("default", "own", "c2")],
      [false, false, false],
    );
    await deleteProfile("denied");
    const withdrawn = logged.filter(({ message }) => message === "withdrawn");
    assert.deepEqual(
      withdrawn.flatMap((line) => line["objects"]),
      [],
      "what never was deployed is not withdrawn",
    );
    // The same on the platform's word.
    await fixture.profile("platform", {}, env, content);
    assert.equal(await fixture.state("platform", cluster), "Provisioned");
    await deleteProfile("platform");
  });
}

const names: Record<string, { labels: Record<string, string>; says: RegExp }> = {
  "the name of an admin": { labels: { "projectsveltos.io/admin-name": "alice" }, says: /^Provisioned$/ },
  "an unknown name": { labels: { "projectsveltos.io/admin-name": "bob" }, says: /^nothing$/ },
  "half a name": { labels: { "projectsveltos.io/serviceaccount-name": "alice" }, says: /^nothing$/ },
  "two names": { labels: { ...labelsOf({ namespace: "eng", name: "bob" }), "projectsveltos.io/admin-name": "alice" }, says: /^nothing$/ },
  "a tenant without grants": { labels: labelsOf({ namespace: "eng", name: "bob" }), says: /nothing is granted to it there/ },
  "no name of a ServiceAccount": { labels: labelsOf({ namespace: "eng", name: "Bob" }), says: /^nothing$/ },
};

test("a tenant is known by either label, and one that is unknown or ambiguous deploys nothing", async () => {
  await deleteProfile("own");
  for (const [name, { labels, says }] of Object.entries(names)) {
    await fixture.profile("named", labels, "fv", "eng/own");
    assert.match(await fixture.state("named"), says, name);
    assert.equal(await isThere("default", "own"), String(says).includes("Provisioned"), name);
    await deleteProfile("named");
  }
  await fixture.grant("other", { namespace: "ops", name: "alice" }, "none", []);
  await fixture.profile("named", names["the name of an admin"]!.labels, "fv", "eng/own");
  const message = stringAt(await fleet.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "named" }), "status.failureMessage");
  assert.equal(
    message,
    "nothing is deployed: its label projectsveltos.io/admin-name: alice may mean eng/alice or ops/alice: " +
      "use the labels projectsveltos.io/serviceaccount-name and projectsveltos.io/serviceaccount-namespace",
  );
  await fleet.until(fleet.hub.delete({ ...gvkOf("RoleRequest"), namespace: "", name: "other" }));
  await fleet.advance(1000);
  assert.equal(await fixture.state("named"), "Provisioned");
  await deleteProfile("named");
});

test("what is withdrawn is withdrawn as the tenant, and waits for the grant", async () => {
  await fixture.profile("own", labelsOf(alice), "fv", "eng/own");
  await fleet.until(fleet.hub.delete({ ...gvkOf("RoleRequest"), namespace: "", name: "access" }));
  await fleet.advance(1000);
  logged.length = 0;
  await deleteProfile("own");
  assert.match(await fixture.state("own"), /nothing is granted to it there/);
  const profile = await fleet.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "own" });
  const said = `${where}nothing is granted to it there: no RoleRequest of it is provisioned in that cluster`;
  assert.deepEqual(
    [
      listAt(profile, "status.failedClusters").map(({ failureMessage }) => failureMessage),
      listAt(profile, "status.conditions").map(({ type, reason, message }) => [type, reason, message].join(" ")),
      logged.filter(({ message }) => message === "denied").map(({ error }) => error),
    ],
    [[said], [`WithdrawalBlocked WithdrawalFailed what it has deployed cannot be withdrawn: cluster mgmt/c1: ${said}`], [said]],
  );
  assert.ok(await isThere("default", "own"));
  await fixture.grant("access", alice, "fv", [maps]);
  await fleet.advance(30_000);
  assert.equal(await isThere("default", "own"), false);
  assert.equal(await fixture.summary("own"), undefined);
});

test("what a tenant without a grant has left is withdrawn when its labels are taken off the profile, also while that is deleted", async () => {
  const relabel = async (name: string, labels: Readonly<Record<string, string | null>>) => {
    const patch = { metadata: { labels } };
    await fleet.until(fleet.hub.patch({ ...gvkOf("ClusterProfile"), namespace: "", name }, { type: "merge", patch }));
    await fleet.advance(1000);
  };
  const bob = { namespace: "eng", name: "bob" };
  const none = { "projectsveltos.io/serviceaccount-name": null, "projectsveltos.io/serviceaccount-namespace": null };
  await fixture.profile("own", labelsOf(alice), "fv", "eng/own");
  await fleet.until(fleet.hub.delete({ ...gvkOf("RoleRequest"), namespace: "", name: "access" }));
  await deleteProfile("own");
  assert.ok(await isThere("default", "own"));
  await relabel("own", labelsOf(bob));
  assert.match(await fixture.state("own"), /^ServiceAccount eng\/bob in cluster mgmt\/c1: nothing is granted/);
  assert.ok(await isThere("default", "own"));
  await relabel("own", none);
  assert.deepEqual([await isThere("default", "own"), await fixture.summary("own")], [false, undefined]);
  await fixture.grant("access", alice, "fv", [maps]);
});

test("a tenant whose kubeconfig is missing deploys nothing", async () => {
  const name = tenantSecretName(fleet.id("c1"), alice);
  fleet.forbids = (cluster, path) => cluster === "c1" && path.includes("/token");
  await fleet.until(fleet.hub.delete({ group: "", version: "v1", kind: "Secret", namespace: fleetNamespace, name }));
  await fixture.profile("own", labelsOf(alice), "fv", "eng/own");
  assert.match(await fixture.state("own"), /(kubeconfig is missing: there is no Secret mgmt\/sveltos-|nothing is granted)/);
  assert.equal(await isThere("default", "own"), false);
  fleet.forbids = () => false;
  await fleet.advance(60_000);
  assert.equal(await fixture.state("own"), "Provisioned");
  await deleteProfile("own");
});

type Metadata = KubeObject["metadata"];
const ownedBy = (metadata: Metadata, name: string): Metadata => ({
  ...metadata,
  name: "forged",
  labels: {},
  ownerReferences: (metadata.ownerReferences ?? []).map((owner) => ({ ...owner, name })),
});
const stolen = { clusterSelector: { matchLabels: { env: "fv" } }, policyRefs: [{ kind: "ConfigMap", namespace: "mgmt", name: "foreign" }] };

const forgeries: Record<string, (metadata: Metadata, spec: Fields) => { readonly metadata: Metadata; readonly spec: Fields }> = {
  "without the labels of its tenant": (metadata, spec) => ({ metadata: { ...metadata, labels: {} }, spec }),
  "with another spec": (metadata, spec) => ({ metadata, spec: { ...spec, clusterProfileSpec: stolen } }),
  "for another cluster": (metadata, spec) => ({
    metadata: { ...metadata, name: "forged-sveltos-c2" },
    spec: { ...spec, clusterName: "c2" },
  }),
  "of a profile that is not there": (metadata, spec) => ({ metadata: ownedBy(metadata, "none"), spec }),
  "with the uid of another profile": (metadata, spec) => ({ metadata: ownedBy(metadata, "platform"), spec }),
};

test("a forged ClusterSummary deploys nothing", async () => {
  await fixture.profile("platform", {}, "fv", "eng/own");
  await fixture.profile("denied", labelsOf(alice), "fv", "eng/system");
  const { apiVersion, kind, metadata, ...rest } = (await fixture.summary("denied"))!;
  const { name, namespace, labels, ownerReferences } = metadata;
  const written: Metadata = {
    name,
    ...(namespace && { namespace }),
    ...(labels && { labels }),
    ...(ownerReferences && { ownerReferences }),
  };
  for (const [what, forge] of Object.entries(forgeries)) {
    const forged = { apiVersion, kind, ...forge(written, fieldsAt(rest, "spec")) };
    await fleet.until(fleet.hub.apply(forged, { manager: "mallory", force: true }));
    await fleet.advance(5000);
    assert.deepEqual(
      [await isThere("kube-system", "stolen"), await isThere("default", "foreign"), await isThere("kube-system", "stolen", "c2")],
      [false, false, false],
      what,
    );
  }
});

test("what a tenant wants and may not have holds up nobody's withdrawal", async () => {
  await fixture.content("mgmt", "base", map("kube-system", "base"));
  await fixture.content("eng", "wanted", map("kube-system", "base"));
  await fixture.profile("base", {}, "fv", "mgmt/base");
  assert.ok(await isThere("kube-system", "base"));
  await fixture.profile("dependent", labelsOf(alice), "fv", "eng/own", { spec: { dependsOn: ["base"] } });
  await fixture.profile("wants", labelsOf(alice), "fv", "eng/wanted", { spec: { tier: 1 } });
  assert.match(await fixture.state("wants"), /cannot get resource "configmaps" in API group "" in the namespace "kube-system"/);
  await deleteProfile("base");
  assert.equal(await fixture.summary("base"), undefined);
  assert.equal(await isThere("kube-system", "base"), false);
  for (const name of ["dependent", "wants"]) await deleteProfile(name);
});

test("what another tenant may have is deployed by it when its owner goes", async () => {
  await fixture.content("mgmt", "shared", map("default", "shared"));
  await fixture.content("eng", "shared", map("default", "shared"));
  await fixture.profile("first", {}, "fv", "mgmt/shared");
  await fixture.profile("second", labelsOf(alice), "fv", "eng/shared");
  assert.match(await fixture.state("second"), /currently deployed because of ConfigMap mgmt\/shared/);
  await deleteProfile("first");
  await fleet.advance(1000);
  assert.equal(await fixture.state("second"), "Provisioned");
  assert.ok(await isThere("default", "shared"));
  await deleteProfile("second");
  assert.equal(await isThere("default", "shared"), false);
});

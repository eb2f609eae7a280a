import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { listAt, mapAt, stringAt } from "../../core/object/index.ts";
import { deployProfile } from "./index.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { managedCluster, DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";

const recorded = `
apiVersion: v1
kind: Namespace
metadata: {name: demo}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: first, namespace: demo}
data: {color: red}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: second, namespace: demo}
data: {color: blue}
`;

test("deploys, upgrades and prunes; then there is nothing to do", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=1 b=1") }));
  const first = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(first.failure, undefined);
  assert.deepEqual(first.outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  await fixture.apply(sourceYaml("s", { "a.yaml": configMapsYaml("a=2") }));
  const second = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(second.failure, undefined);
  assert.equal(await fixture.configMaps(), "a=2");
  assert.equal(second.outcome.status.releases?.[0]?.revision, 2);
  const request = await fixture.request(policyRefsYaml("s"));
  fixture.written.length = 0;
  const third = await fixture.collect(deployProfile(request, fixture.context, { signal: never }));
  assert.deepEqual(fixture.written, []);
  assert.deepEqual(third.outcome.features, second.outcome.features);
});

test("objects, summary and configuration look as Sveltos writes them", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("demo-objects", { "objects.yaml": recorded }));
  const { outcome } = await fixture.deploy(policyRefsYaml("demo-objects"));
  const live = await fixture.find("ConfigMap/demo/first");
  // Labels and hash as corpus/sveltos-recorded/09-clusterprofile/1-after.json has them.
  assert.deepEqual(live?.metadata.labels, {
    "projectsveltos.io/reason": "Resources",
    "projectsveltos.io/reference-kind": "ConfigMap",
    "projectsveltos.io/reference-name": "demo-objects",
    "projectsveltos.io/reference-namespace": "default",
  });
  const annotations = live?.metadata.annotations ?? {};
  assert.equal(annotations["projectsveltos.io/hash"], "sha256:933a91b20dfaf5b3f2c287be4a73883b34d1f9e2c2bf6d20b3fbbfdfc87b6002");
  assert.equal(annotations["projectsveltos.io/owner-tier"], "100");
  assert.equal(annotations["projectsveltos.io/owner-name"], "demo");
  assert.equal(live?.metadata.ownerReferences, undefined);
  assert.equal(live?.metadata.managedFields?.[0]?.manager, "application/apply-patch");
  const { status } = outcome;
  assert.deepEqual(status.deployedGVKs, [{ featureID: "Resources", deployedGroupVersionKind: ["Namespace.v1.", "ConfigMap.v1."] }]);
  const [summary] = status.featureSummaries ?? [];
  assert.deepEqual(Object.keys(summary ?? {}).toSorted(), ["featureID", "hash", "lastAppliedTime", "status"]);
  assert.equal(summary?.status, "Provisioned");
  const [feature] = outcome.features ?? [];
  assert.deepEqual(
    feature?.resources?.map(({ lastAppliedTime, ...rest }) => ({ ...rest, timed: typeof lastAppliedTime })),
    [
      { group: "", version: "v1", kind: "Namespace", name: "demo" },
      { group: "", version: "v1", kind: "ConfigMap", namespace: "demo", name: "first" },
      { group: "", version: "v1", kind: "ConfigMap", namespace: "demo", name: "second" },
    ].map((each) => ({
      ...each,
      owner: { kind: "ConfigMap", namespace: "default", name: "demo-objects" },
      ignoreForConfigurationDrift: false,
      timed: "string",
    })),
  );
});

test("a profile in the same cluster is the owner of its objects", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const request = await fixture.request(policyRefsYaml("s"));
  await fixture.collect(deployProfile(request, { ...fixture.context, cluster: fixture.hub }, { signal: never }));
  const live = await fixture.until(fixture.hub.get({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" }));
  assert.deepEqual(
    live.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`),
    ["ClusterProfile demo"],
  );
});

test("missing namespaces are created without labels, unless skipNamespaceCreation is set", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1", {}, "new") }));
  const skipped = await fixture.deploy("policyRefs: [{kind: ConfigMap, namespace: default, name: s, skipNamespaceCreation: true}]");
  assert.match(skipped.failure ?? "", /there is no namespace new/);
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  assert.deepEqual((await fixture.find("Namespace//new"))?.metadata.labels, { "kubernetes.io/metadata.name": "new" });
  await fixture.withdraw(policyRefsYaml("s"));
  assert.equal(await fixture.configMaps("new"), "");
  assert.notEqual(await fixture.find("Namespace//new"), undefined);
});

test("a deploy that fails halfway prunes nothing, and continues later", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2 c=2") }));
  fixture.refuses = (path) => path.includes("/configmaps/a");
  const { failure, outcome } = await fixture.deploy(policyRefsYaml("s"));
  assert.match(failure ?? "", /^configmap\/a: .*not today/);
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Failed");
  assert.equal(await fixture.configMaps(), "a=1 b=1 c=2");
  const [feature] = outcome.features;
  assert.deepEqual(
    feature?.resources?.map(({ name, owner }) => `${name} of ${owner?.name}`),
    ["a of s", "c of s", "b of s"],
    "all that is there is listed",
  );
  fixture.refuses = () => false;
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=2 c=2");
});

test("a Profile reads its own namespace only, and its objects name the namespace", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=default") }));
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=mgmt") }).replace('"namespace":"default"', '"namespace":"mgmt"'));
  const { summary } = await fixture.request(policyRefsYaml("s"));
  const ownerReferences = [{ apiVersion: "config.projectsveltos.io/v1beta1", kind: "Profile", name: "mine", uid: "1" }];
  const own = await fixture.until(fixture.hub.replace({ ...summary, metadata: { ...summary.metadata, ownerReferences } }));
  const { outcome } = await fixture.collect(deployProfile({ summary: own, cluster: managedCluster }, fixture.context, { signal: never }));
  assert.equal(outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=mgmt");
  const { annotations } = (await fixture.find("ConfigMap/default/a"))?.metadata ?? {};
  assert.deepEqual(
    ["kind", "namespace", "name"].map((part) => annotations?.[`projectsveltos.io/owner-${part}`]),
    ["Profile", "mgmt", "mine"],
  );
});

test("a missing reference has Sveltos' message, is counted, and prunes nothing", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  for (const times of [1, 2]) {
    const { outcome } = await fixture.deploy(policyRefsYaml("s", "does-not-exist"));
    const [summary] = outcome.status.featureSummaries ?? [];
    assert.equal(summary?.failureMessage, "Referenced resource: ConfigMap default/does-not-exist does not exist");
    assert.equal(summary.status, "FailedNonRetriable");
    assert.equal(summary.consecutiveFailures, times);
    assert.equal(outcome.final, true);
    assert.equal(outcome.settled, false);
  }
  assert.equal(await fixture.configMaps(), "a=1");
  const optional =
    "policyRefs: [{kind: ConfigMap, namespace: default, name: s}, {kind: Secret, namespace: default, name: x, optional: true}]";
  assert.equal((await fixture.deploy(optional)).failure, undefined);
});

const secretRef = (name: string) => `policyRefs: [{kind: Secret, namespace: default, name: ${name}}]`;

const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: foos.example.com}
spec:
  group: example.com
  names: {kind: Foo, plural: foos}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]`;

test("a CRD and its objects are deployed together, and the next call has nothing to do", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: "{apiVersion: example.com/v1, kind: Foo, metadata: {name: foo}}", z: definition }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  const request = await fixture.request(policyRefsYaml("s"));
  fixture.written.length = 0;
  assert.equal(
    (await fixture.collect(deployProfile(request, fixture.context, { signal: never }))).outcome.status.releases?.[0]?.revision,
    1,
  );
  assert.deepEqual(fixture.written, []);
  await fixture.withdraw(policyRefsYaml("s"));
  const crd = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition", namespace: "", name: "foos.example.com" };
  assert.equal(await fixture.until(fixture.managed.find(crd)), undefined);
});

test("Secrets with content must have the content type", async () => {
  const fixture = await DeployFixture.open();
  const data = Buffer.from(configMapsYaml("a=1")).toString("base64");
  const secret = (type: string) =>
    `{apiVersion: v1, kind: Secret, type: "${type}", metadata: {name: ${type === "Opaque" ? "o" : "s"}, namespace: default}, data: {a: ${data}}}`;
  await fixture.apply(`${secret("Opaque")}\n---\n${secret("addons.projectsveltos.io/cluster-profile")}`);
  assert.match(
    (await fixture.deploy(secretRef("o"))).failure ?? "",
    /Secret default\/o is of type Opaque; expected addons\.projectsveltos\.io\/cluster-profile/,
  );
  const { outcome } = await fixture.deploy(secretRef("s"));
  assert.equal(await fixture.configMaps(), "a=1");
  const remembered = Buffer.from(outcome.status.releases?.[0]?.content ?? "", "base64");
  assert.doesNotMatch(gunzipSync(remembered).toString(), /"v":"1"/, "what came from a Secret is not written into a status");
});

const rendered = { "projectsveltos.io/template": "ok" };
const renderer: readonly (readonly [string, string, string])[] = [
  ["the cluster", `{{ .Cluster.metadata.name }}`, "c1"],
  ["an object of the management cluster", `{{ (index .MgmtResources "it").data.color }}`, "green"],
  ["functions by identifier", `{{ getField "it" "data.color" }}`, "green"],
  ["Sprig", `{{ "x" | upper }}`, "X"],
];

for (const [title, text, expected] of renderer) {
  test(`templates see ${title}`, async () => {
    const fixture = await DeployFixture.open();
    await fixture.apply(`{apiVersion: v1, kind: ConfigMap, metadata: {name: c1-it, namespace: mgmt}, data: {color: green}}`);
    await fixture.apply(sourceYaml("s", { a: `{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {v: ${text}}}` }, rendered));
    const it = `templateResourceRefs: [{identifier: it, resource: {apiVersion: v1, kind: ConfigMap, name: "{{ .Cluster.metadata.name }}-it"}}]`;
    assert.equal((await fixture.deploy(`${it}\n${policyRefsYaml("s")}`)).failure, undefined);
    assert.equal(await fixture.configMaps(), `a=${expected}`);
  });
}

test("Lua content is what the script returns", async () => {
  const fixture = await DeployFixture.open();
  const script = `function evaluate() return {resources = "${configMapsYaml("a=1").replaceAll('"', String.raw`\"`)}"} end`;
  await fixture.apply(sourceYaml("s", { a: script }, { "projectsveltos.io/lua": "ok" }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=1");
});

const bad: readonly (readonly [string, string, RegExp])[] = [
  ["broken YAML", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x\n", /^ConfigMap default\/bad k:\d+: /],
  ["no kind", "apiVersion: v1\nmetadata: {name: x}", /ConfigMap default\/bad k:1: kind is missing/],
  ["an unknown kind", "apiVersion: example.com/v1\nkind: Foo\nmetadata: {name: x}", /knows no kind example\.com\/v1 Foo/],
  [
    "a template with an unknown key",
    "a: 1\nb: {{ .Cluster.metadata.nothing }}",
    /^ConfigMap default\/bad k:2:\d+: at <\.Cluster\.metadata\.nothing>: map has no entry for key "nothing"/,
  ],
  ["a template that does not parse", "a: {{ namespace }}", /^ConfigMap default\/bad k:1: function "namespace" not defined/],
];

for (const [title, text, expected] of bad) {
  test(`${title} is reported with its position, and deployed objects stay`, async () => {
    const fixture = await DeployFixture.open();
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
    await fixture.deploy(policyRefsYaml("s"));
    await fixture.apply(sourceYaml("bad", { k: text }, rendered));
    const { outcome, failure } = await fixture.deploy(policyRefsYaml("s", "bad"));
    assert.match(failure ?? "", expected);
    assert.equal(outcome.status.featureSummaries?.[0]?.status, "Failed");
    assert.equal(await fixture.configMaps(), "a=1");
    assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  });
}

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: a, image: one}, {name: b, image: two}]}`;

test("patches change the objects that they match", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1"), d: deployment }));
  const patches = `
patches:
- target: {kind: Deployment, labelSelector: app=web}
  patch: |
    spec: {template: {spec: {containers: [{name: b, image: three}]}}}
- target: {kind: Config.*, name: a}
  patch: |
    - {op: remove, path: /data/nothing}
    - {op: replace, path: /data/v, value: "{{ .Cluster.metadata.name }}"}
- target: {kind: Secret}
  patch: |
    metadata: {labels: {never: "yes"}}`;
  assert.equal((await fixture.deploy(`${policyRefsYaml("s")}${patches}`)).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=c1");
  const live = await fixture.find("Deployment/default/web");
  const containers = listAt(live, "spec.template.spec.containers");
  assert.deepEqual(
    containers.map((each) => `${stringAt(each, "name")}=${stringAt(each, "image")}`),
    ["b=three", "a=one"],
  );
  assert.equal(mapAt(live, "metadata.labels")["never"], undefined);
});

test("a patch deletes what it names, renames nothing, and what it no longer has is removed", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=2 ab=3") }));
  const renaming = `{target: {kind: ConfigMap, name: a}, patch: "{kind: ConfigMap, metadata: {name: other}, data: {v: '9'}}"}`;
  const deleting = `{patch: "{$patch: delete, apiVersion: v1, kind: ConfigMap, metadata: {name: b}}"}`;
  assert.equal((await fixture.deploy(`${policyRefsYaml("s")}\npatches: [${renaming}]`)).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=9 ab=3 b=2");
  assert.equal((await fixture.deploy(`${policyRefsYaml("s")}\npatches: [${renaming}, ${deleting}]`)).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=9 ab=3");
  const { failure } = await fixture.deploy(`${policyRefsYaml("s")}\npatches: [${deleting.replace("name: b", "name: c")}]`);
  assert.match(String(failure), /patches\[0\]: names configmap\/c, which is not among the objects/);
  assert.equal(await fixture.configMaps(), "a=9 ab=3", "nothing is changed");
});

test("a status is applied where its source asks for it", async () => {
  const fixture = await DeployFixture.open();
  const service =
    "{apiVersion: v1, kind: Service, metadata: {name: lb}, spec: {type: LoadBalancer, ports: [{port: 80}]}, status: {loadBalancer: {ingress: [{ip: 10.1.1.1, ipMode: VIP}]}}}";
  await fixture.apply(sourceYaml("s", { a: service }, { "projectsveltos.io/subresources": "status" }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  const [ingress] = listAt(await fixture.find("Service/default/lb"), "status.loadBalancer.ingress");
  assert.equal(stringAt(ingress, "ip"), "10.1.1.1");
});

test("an unsupported field is refused by name, and nothing is deployed", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const { outcome } = await fixture.deploy(`reloader: true\n${policyRefsYaml("s")}`);
  assert.match(outcome.status.failureMessage ?? "", /not built into Sluice.*reloader/);
  assert.equal(outcome.final, true);
  assert.equal(await fixture.configMaps(), "");
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).outcome.status.failureMessage, undefined, "it is taken back when it is over");
});

test("OneTime is deployed once", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy(`syncMode: OneTime\n${policyRefsYaml("s")}`);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2") }));
  await fixture.deploy(`syncMode: OneTime\n${policyRefsYaml("s")}`);
  assert.equal(await fixture.configMaps(), "a=1");
});

test("Continuous does not repair manual changes", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.apply(configMapsYaml("a=9"), fixture.managed);
  await fixture.deploy(policyRefsYaml("s"));
  assert.equal(await fixture.configMaps(), "a=9");
});

test("a profile without content prunes all its objects", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  const { outcome } = await fixture.deploy("policyRefs: []");
  assert.equal(await fixture.configMaps(), "");
  assert.deepEqual(outcome.status.featureSummaries, []);
  assert.equal(stringAt(outcome.summary, "metadata.name"), "demo-sveltos-c1");
});

import assert from "node:assert/strict";
import test from "node:test";
import { fieldsAt, listAt, mapAt, stringAt, valueAt, type KubeObject } from "../../core/object/index.ts";
import {
  FakeHub,
  objectFrom,
  serviceMatches,
  sourceCluster,
  templateConfigMap,
  triggerOf,
  verbsOf,
  testEnvironment,
} from "../../../test/support/instantiate/fake-hub.ts";
import { lineOfProblem, referencesOf } from "./index.ts";

const refersTo = (...names: readonly string[]) =>
  `policyRefs: [${names.map((name) => `{kind: ConfigMap, namespace: default, name: "${name}"}`).join(", ")}]`;
const forEach = triggerOf(`oneForEvent: true\n${refersTo("a")}`);
const name = templateConfigMap("a", "{{ .MatchingResource.Namespace }}/{{ .MatchingResource.Name }}");
const names = templateConfigMap("a", "{{ range .MatchingResources }}{{ .Namespace }}/{{ .Name }} {{ end }}");

function secretOf(data: Readonly<Record<string, string>>, type = "addons.projectsveltos.io/cluster-profile"): KubeObject {
  const base64 = Object.entries(data).map(([key, text]) => [key, Buffer.from(text, "latin1").toString("base64")] as const);
  const metadata = { name: "s", namespace: "default", annotations: { "projectsveltos.io/instantiate": "ok" } };
  return { apiVersion: "v1", kind: "Secret", metadata, type, data: Object.fromEntries(base64) };
}

test("an optional reference that is missing is left out", () => {
  const hub = new FakeHub([name]);
  const optional = `policyRefs: [{kind: ConfigMap, namespace: default, name: nowhere, optional: true}, {kind: ConfigMap, namespace: default, name: a, optional: true, tier: 7}]`;
  const planned = hub.run(triggerOf(`oneForEvent: true\n${optional}`), serviceMatches("a/x"));
  assert.deepEqual(planned.problems, []);
  const refs = listAt(hub.profiles[0], "spec.policyRefs");
  assert.deepEqual(
    refs.map(({ optional: isOptional, tier }) => [isOptional, tier]),
    [[true, 7]],
  );
});

test("names of references are templates, and an empty namespace means that of the cluster", () => {
  const trigger = triggerOf(
    `oneForEvent: true\npolicyRefs: [{kind: ConfigMap, name: "{{ .MatchingResource.Name }}-{{ .Cluster.metadata.name }}"}]`,
  );
  const input = { trigger, cluster: sourceCluster, report: { eventSource: "es", matches: serviceMatches("a/x") }, existing: [] };
  assert.deepEqual(referencesOf(input, testEnvironment()), [{ kind: "ConfigMap", namespace: "mgmt", name: "x-c1" }]);
});

test("referencesOf lists every reference that is looked up", () => {
  const trigger = triggerOf(`
profileNameFormat: chosen
secretGenerator: [{name: s, nameFormat: made}]
${refersTo("a")}`);
  const input = { trigger, cluster: sourceCluster, report: { eventSource: "es", matches: serviceMatches("a/x") }, existing: [] };
  assert.deepEqual(
    referencesOf(input, testEnvironment()).map(({ kind, namespace, name: one }) => `${kind} ${namespace}/${one}`),
    ["Secret projectsveltos/made", "Secret mgmt/s", "ConfigMap default/a", "ClusterProfile /chosen"],
  );
});

for (const [apiGeneration, annotations, isNew, kept] of [
  ["C", {}, false, undefined],
  ["C", { "projectsveltos.io/template": "ok" }, false, undefined],
  ["C", { "projectsveltos.io/instantiate": "ok" }, true, undefined],
  ["C", { "projectsveltos.io/instantiate": "ok", "projectsveltos.io/template": "ok" }, true, "ok"],
  ["B", { "projectsveltos.io/template": "ok" }, true, undefined],
  ["B", {}, false, undefined],
  ["A", {}, true, undefined],
] as const)
  test(`API generation ${apiGeneration} with ${Object.keys(annotations).join(", ") || "no annotation"}: ${isNew ? "instantiated" : "by reference"}`, () => {
    const trigger = { ...forEach, apiGeneration };
    const hub = new FakeHub([templateConfigMap("a", "{{ .MatchingResource.Name }}", annotations)]);
    hub.run(trigger, serviceMatches("a/x"));
    assert.deepEqual(hub.texts, isNew ? ["x"] : []);
    const [content] = hub.generated.filter(({ kind }) => kind === "ConfigMap");
    assert.equal(content?.metadata.annotations?.["projectsveltos.io/template"], kept);
  });

test("text in Secrets is rendered, and binary data is copied", () => {
  const hub = new FakeHub([secretOf({ text: "{{ .MatchingResource.Name }}", bytes: "{{\xff" })]);
  const trigger = triggerOf("oneForEvent: true\npolicyRefs: [{kind: Secret, namespace: default, name: s}]");
  assert.deepEqual(hub.run(trigger, serviceMatches("a/x")).problems, []);
  const [secret] = hub.generated.filter(({ kind }) => kind === "Secret");
  assert.equal(stringAt(secret, "type"), "addons.projectsveltos.io/cluster-profile");
  assert.deepEqual(mapAt(secret, "data"), { text: btoa("x"), bytes: btoa("{{\xff") });
  assert.equal(verbsOf(hub.plan(trigger, serviceMatches("a/x"))), "");
});

test("a Secret of another type is refused", () => {
  const hub = new FakeHub([secretOf({}, "Opaque")]);
  const trigger = triggerOf("policyRefs: [{kind: Secret, namespace: default, name: s}]");
  assert.deepEqual(hub.run(trigger, serviceMatches("a/x")).problems.map(lineOfProblem), [
    'spec.policyRefs[0]: Secret default/s has type "Opaque", expected addons.projectsveltos.io/cluster-profile',
  ]);
});

test("each text of a chart is a template, and values come from instantiated ConfigMaps", () => {
  const hub = new FakeHub([names]);
  const trigger = triggerOf(`
helmCharts:
- repositoryURL: https://charts.example.com
  repositoryName: tiny
  chartName: tiny/tiny
  chartVersion: 0.1.{{ len .MatchingResources }}
  releaseName: tiny-{{ .Cluster.metadata.name }}
  releaseNamespace: tiny
  values: |
    services: "{{ range .MatchingResources }}{{ .Name }} {{ end }}"
  valuesFrom:
  - {kind: ConfigMap, namespace: default, name: a}
  - {kind: ConfigMap, namespace: default, name: later}
  provenanceVerification: {keyringSecretRef: {name: keys, namespace: default}}`);
  assert.deepEqual(hub.run(trigger, serviceMatches("a/x a/y")).problems, []);
  const [made] = hub.generated.filter(({ kind }) => kind === "ConfigMap");
  assert.deepEqual(listAt(hub.profiles[0], "spec.helmCharts"), [
    {
      repositoryURL: "https://charts.example.com",
      repositoryName: "tiny",
      chartName: "tiny/tiny",
      chartVersion: "0.1.2",
      releaseName: "tiny-c1",
      releaseNamespace: "tiny",
      values: 'services: "x y "\n',
      helmChartAction: "Install",
      provenanceVerification: { keyringSecretRef: { name: "keys", namespace: "default" } },
      valuesFrom: [
        { kind: "ConfigMap", namespace: "projectsveltos", name: made?.metadata.name },
        { kind: "ConfigMap", namespace: "default", name: "later" },
      ],
    },
  ]);
});

test("a field that a template leaves empty is refused before it becomes a profile", () => {
  const trigger = triggerOf(`
helmCharts:
- repositoryURL: https://charts.example.com
  repositoryName: tiny
  chartName: tiny/tiny
  chartVersion: 1.0.0
  releaseName: '{{ "" }}'
  releaseNamespace: tiny`);
  const { problems, changes } = new FakeHub().run(trigger, serviceMatches("a/x"));
  assert.deepEqual(changes, []);
  assert.match(problems.map(lineOfProblem).join(), /^spec\.helmCharts\[0\]\.releaseName: /);
});

test("fields that are not templates are copied", () => {
  const trigger = triggerOf(`
syncMode: DryRun
tier: 7
maxUpdate: 30%
continueOnConflict: true
dependsOn: [first]
patches: [{patch: "{{ later }}"}]
templateResourceRefs: [{identifier: I, resource: {apiVersion: v1, kind: Secret, name: "{{ .Cluster.metadata.name }}-i"}}]`);
  const hub = new FakeHub();
  assert.deepEqual(hub.run(trigger, serviceMatches("a/x")).problems, []);
  const { clusterRefs: _refs, ...spec } = fieldsAt(hub.profiles[0], "spec");
  assert.deepEqual(spec, {
    clusterSelector: {},
    syncMode: "DryRun",
    tier: 7,
    maxUpdate: "30%",
    continueOnConflict: true,
    continueOnError: false,
    reloader: false,
    stopMatchingBehavior: "WithdrawPolicies",
    dependsOn: ["first"],
    patches: [{ patch: "{{ later }}" }],
    templateResourceRefs: [{ identifier: "I", resource: { apiVersion: "v1", kind: "Secret", namespace: "mgmt", name: "c1-i" } }],
  });
});

test("destinationCluster is rendered and set beside destinationClusterSelector", () => {
  const trigger = triggerOf(`
oneForEvent: true
destinationClusterSelector: {matchLabels: {dep: eng}}
destinationCluster: {apiVersion: lib.projectsveltos.io/v1beta1, kind: SveltosCluster, name: "{{ .MatchingResource.Name }}", namespace: "{{ .MatchingResource.Namespace }}"}`);
  const hub = new FakeHub();
  hub.run(trigger, serviceMatches("a/x"));
  assert.deepEqual(valueAt(hub.profiles[0], "spec.clusterRefs"), [
    { apiVersion: "lib.projectsveltos.io/v1beta1", kind: "SveltosCluster", namespace: "a", name: "x" },
  ]);
  assert.deepEqual(valueAt(hub.profiles[0], "spec.clusterSelector"), { matchLabels: { dep: "eng" } });
});

test("generators create objects of the chosen name even without an annotation, and references to them are kept", () => {
  const trigger = triggerOf(`
configMapGenerator: [{name: a, namespace: default, nameFormat: "{{ .Cluster.metadata.name }}-names"}]
policyRefs: [{kind: ConfigMap, namespace: projectsveltos, name: "{{ .Cluster.metadata.name }}-names"}]`);
  const hub = new FakeHub([templateConfigMap("a", "{{ len .MatchingResources }}", {})]);
  assert.deepEqual(hub.run(trigger, serviceMatches("a/x a/y")).problems, []);
  const [made] = hub.generated.filter(({ kind }) => kind === "ConfigMap");
  assert.equal(made?.metadata.name, "c1-names");
  assert.equal(made?.metadata.namespace, "projectsveltos");
  assert.deepEqual(hub.texts, ["2"]);
  assert.equal(made?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/fromgenerator"], "ok");
  assert.equal(made?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/refname"], "a");
  assert.equal(stringAt(listAt(hub.profiles[0], "spec.policyRefs")[0], "name"), "c1-names");
  assert.equal(hub.profiles[0]?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/refname"], undefined);
  assert.equal(verbsOf(hub.plan(trigger, serviceMatches("a/x a/y"))), "");
});

for (const [what, spec, expected] of [
  [
    "a profile of that name belongs to the user",
    "profileNameFormat: taken",
    "spec.profileNameFormat: ClusterProfile taken exists and was not made by this trigger: choose another name",
  ],
  [
    "a ConfigMap of that name belongs to the user",
    "configMapGenerator: [{name: a, namespace: default, nameFormat: taken}]",
    "spec.configMapGenerator[0].nameFormat: ConfigMap taken exists and was not made by this trigger: choose another name",
  ],
  [
    "the name is drawn by lot",
    'profileNameFormat: "a{{ randNumeric 3 }}"',
    "spec.profileNameFormat: a name must be the same every time: it may not come from time or chance",
  ],
  [
    "a generator's template is missing",
    "secretGenerator: [{name: s, namespace: default, nameFormat: s}]",
    "spec.secretGenerator[0]: referenced Secret default/s does not exist",
  ],
] as const)
  test(`nothing is generated when ${what}`, () => {
    const taken = objectFrom("{apiVersion: config.projectsveltos.io/v1beta1, kind: ClusterProfile, metadata: {name: taken}}");
    const alsoTaken = objectFrom("{apiVersion: v1, kind: ConfigMap, metadata: {name: taken, namespace: projectsveltos}}");
    const planned = new FakeHub([taken, alsoTaken, names]).run(triggerOf(spec), serviceMatches("a/x"));
    assert.deepEqual(planned.problems.map(lineOfProblem), [expected]);
    assert.deepEqual(planned.changes, []);
  });

test("of two objects with the same chosen name the first gets it", () => {
  const hub = new FakeHub();
  const planned = hub.run(
    triggerOf("oneForEvent: true\nprofileNameFormat: '{{ .MatchingResource.Namespace }}'"),
    serviceMatches("a/y a/x b/z"),
  );
  assert.deepEqual(planned.problems.map(lineOfProblem), [
    "Service a/y: spec.profileNameFormat: ClusterProfile a is made for another matching object already",
  ]);
  assert.deepEqual(planned.profiles, ["a", "b"]);
});

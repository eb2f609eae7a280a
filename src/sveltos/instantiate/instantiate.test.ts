import assert from "node:assert/strict";
import test from "node:test";
import type { KubeObject } from "../../core/object/index.ts";
import {
  FakeHub,
  collectedMatch,
  objectFrom,
  triggerFrom,
  serviceMatches,
  sourceCluster,
  templateConfigMap,
  triggerOf,
  verbsOf,
  testEnvironment,
} from "../../../test/support/instantiate/fake-hub.ts";
import { eventSourceFor, lineOfProblem, withdrawTrigger } from "./index.ts";

const refersTo = (...names: readonly string[]) =>
  `policyRefs: [${names.map((name) => `{kind: ConfigMap, namespace: default, name: "${name}"}`).join(", ")}]`;
const forEach = triggerOf(`oneForEvent: true\n${refersTo("a")}`);
const forAll = triggerOf(refersTo("a"));
const name = templateConfigMap("a", "{{ .MatchingResource.Namespace }}/{{ .MatchingResource.Name }}");
const names = templateConfigMap("a", "{{ range .MatchingResources }}{{ .Namespace }}/{{ .Name }} {{ end }}");

test("oneForEvent gives one profile for each matching object; otherwise one for all, ordered by namespace and name", () => {
  const each = new FakeHub([name]);
  each.run(forEach, serviceMatches("b/y a/z b/x"));
  assert.deepEqual(each.texts, ["a/z", "b/x", "b/y"]);
  assert.equal(each.profiles.length, 3);
  const all = new FakeHub([names]);
  all.run(forAll, serviceMatches("b/y a/z b/x"));
  assert.deepEqual(all.texts, ["a/z b/x b/y "]);
  assert.equal(all.profiles.length, 1);
});

test("existing objects are found by their labels: names stay, and only changed objects are written", () => {
  const hub = new FakeHub([name]);
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "create ConfigMap, create ClusterProfile");
  const before = hub.generated.map(({ metadata }) => metadata.name);
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "");
  hub.objects = hub.objects.map((one) => (one.metadata.name === "a" ? templateConfigMap("a", "other {{ .MatchingResource.Name }}") : one));
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "update ConfigMap");
  assert.deepEqual(hub.texts, ["other x"]);
  assert.equal(
    verbsOf(hub.run(triggerOf(`oneForEvent: true\ntier: 50\n${refersTo("a")}`), serviceMatches("a/x"))),
    "update ClusterProfile",
  );
  assert.deepEqual(
    hub.generated.map(({ metadata }) => metadata.name),
    before,
  );
});

test("labels and annotations of others on a generated object stay", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x"));
  const marked = { resourceVersion: "7", finalizers: ["f"] };
  hub.objects = hub.objects.map((one) =>
    one.kind === "ClusterProfile"
      ? {
          ...one,
          metadata: { ...one.metadata, ...marked, labels: { ...one.metadata.labels, "projectsveltos.io/cluster-name": "c1" } },
          status: {},
        }
      : one,
  );
  assert.equal(verbsOf(hub.plan(forEach, serviceMatches("a/x"))), "");
  hub.run(triggerOf(`oneForEvent: true\ntier: 50\n${refersTo("a")}`), serviceMatches("a/x"));
  const [profile] = hub.profiles;
  assert.equal(profile?.metadata.resourceVersion, "7");
  assert.deepEqual(profile?.metadata.finalizers, ["f"]);
  assert.equal(profile?.metadata.labels?.["projectsveltos.io/cluster-name"], "c1");
});

test("the profile of an object that no longer matches is pruned, and its ConfigMap once the profile is gone", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x a/y"));
  const planned = hub.plan(forEach, serviceMatches("a/y"));
  assert.equal(verbsOf(planned), "delete ClusterProfile");
  assert.equal(planned.waiting.length, 1);
  // A profile with a finalizer is there for a while.
  hub.objects = hub.objects.map((one) => {
    const going = planned.changes.some((change) => change.verb === "delete" && change.ref.name === one.metadata.name);
    return going ? { ...one, metadata: { ...one.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } } : one;
  });
  assert.equal(verbsOf(hub.plan(forEach, serviceMatches("a/y"))), "");
  hub.objects = hub.objects.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/y"))), "delete ConfigMap");
  assert.deepEqual(hub.texts, ["a/y"]);
});

test("an object that matches again while its profile is being deleted gets new names", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x"));
  const [before] = hub.profiles;
  hub.objects = hub.objects.map((one) =>
    one.kind === "ClusterProfile" ? { ...one, metadata: { ...one.metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } } : one,
  );
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "create ClusterProfile");
  assert.notEqual(hub.profiles.at(-1)?.metadata.name, before?.metadata.name);
});

test("profiles and their names stay when another EventSource matches the same objects", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x"));
  const before = hub.profiles.map(({ metadata }) => metadata.name);
  assert.equal(
    verbsOf(hub.run({ ...forEach, eventSourceName: "other" }, serviceMatches("a/x"))),
    "update ConfigMap, update ClusterProfile",
  );
  assert.deepEqual(
    hub.profiles.map(({ metadata }) => [metadata.name, metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventreportname"]]),
    before.map((one) => [one, "other"]),
  );
});

test("without a report nothing changes; a report without matches prunes everything", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x a/y"));
  const missing = hub.plan(forEach, undefined);
  assert.equal(verbsOf(missing), "");
  assert.equal(missing.profiles.length, 2);
  hub.run(forEach, []);
  hub.run(forEach, []);
  assert.deepEqual(hub.generated, []);
});

test("withdrawTrigger prunes the objects of one trigger for one cluster, and nothing else", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x"));
  const other = triggerFrom(
    `{kind: EventTrigger, apiVersion: lib.projectsveltos.io/v1beta1, metadata: {name: u}, spec: {eventSourceName: es, sourceClusterSelector: {matchLabels: {a: b}}, oneForEvent: true, ${refersTo("a")}}}`,
  );
  hub.run(other, serviceMatches("a/x"));
  assert.equal(withdrawTrigger("t", { ...sourceCluster, name: "c2" }, hub.objects).changes.length, 0);
  for (let pass = 0; pass < 2; pass++) hub.apply(withdrawTrigger("t", sourceCluster, hub.objects).changes);
  assert.deepEqual(
    hub.generated.map(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/eventtriggername"]),
    ["u", "u"],
  );
});

test("of two profiles with the same labels the younger one is pruned", () => {
  const hub = new FakeHub([name]);
  hub.run(forEach, serviceMatches("a/x"));
  const [profile] = hub.profiles;
  assert.ok(profile !== undefined);
  const at = (creationTimestamp: string, named: string): KubeObject => ({
    ...profile,
    metadata: { ...profile.metadata, name: named, creationTimestamp },
  });
  const others = hub.objects.filter((one) => one !== profile);
  hub.objects = [...others, at("2026-01-02T00:00:00Z", "a-younger"), at("2026-01-01T00:00:00Z", "z-older")];
  const { changes } = hub.plan(forEach, serviceMatches("a/x"));
  assert.deepEqual(
    changes.map((change) => change.verb === "delete" && change.ref.name),
    ["a-younger"],
  );
});

test("objects of different kinds with the same name get a profile each", () => {
  const hub = new FakeHub([templateConfigMap("a", "{{ .MatchingResource.Kind }}")]);
  const [service] = serviceMatches("a/x");
  assert.ok(service !== undefined);
  const deployment = { ...service, ref: { ...service.ref, group: "apps", kind: "Deployment" } };
  hub.run(forEach, [service, deployment]);
  assert.deepEqual(hub.texts, ["Deployment", "Service"]);
  assert.equal(verbsOf(hub.plan(forEach, [deployment, service])), "");
});

test("a name that no label can hold is shortened", () => {
  const hub = new FakeHub([templateConfigMap("a", "{{ .MatchingResource.Name }}")]);
  const long = `system:${"x".repeat(100)}`;
  hub.run(forEach, serviceMatches(`/${long} /${long}y`));
  const labels = hub.profiles.map(({ metadata }) => metadata.labels?.["eventtrigger.lib.projectsveltos.io/resourcename"] ?? "");
  assert.equal(new Set(labels).size, 2);
  for (const label of labels) assert.match(label, /^system-x{40,}-[0-9a-f]{10}$/);
  assert.ok(labels.every((label) => label.length <= 63));
  assert.equal(hub.profiles[0]?.metadata.labels?.["eventtrigger.lib.projectsveltos.io/resourcenamespace"], undefined);
});

test("a failed occurrence keeps its objects, and the others are instantiated", () => {
  const hub = new FakeHub([
    templateConfigMap("a", '{{ if eq .MatchingResource.Name "y" }}{{ .Resource.spec }}{{ end }}{{ .MatchingResource.Name }}'),
  ]);
  const lenient = new FakeHub([name]);
  lenient.run(forEach, serviceMatches("a/x a/y a/z"));
  hub.objects = [...hub.objects, ...lenient.generated];
  const planned = hub.run(forEach, serviceMatches("a/x a/y"));
  assert.deepEqual(planned.problems.map(lineOfProblem), [
    'Service a/y: ConfigMap default/a, text:1:50: at <.Resource.spec>: map has no entry for key "spec"',
  ]);
  assert.equal(planned.profiles.length, 2);
  hub.run(forEach, serviceMatches("a/x a/y"));
  assert.deepEqual(hub.texts, ["a/y", "x"]);
});

for (const [what, content, options, expected] of [
  ["a missing ConfigMap", "", {}, "spec.policyRefs[0]: referenced ConfigMap default/a does not exist"],
  ["a template that cannot be parsed", "a\n{{ namespace }}", {}, 'ConfigMap default/a, text:2: function "namespace" not defined'],
  [
    "the wrong root",
    "{{ .Resource }}",
    {},
    "ConfigMap default/a, text:1:3: at <.Resource>: can't evaluate field Resource in type *controllers.currentObjects",
  ],
  [
    "a missing key",
    "{{ .Cluster.metadata.nothing }}",
    {},
    'ConfigMap default/a, text:1:11: at <.Cluster.metadata.nothing>: map has no entry for key "nothing"',
  ],
] as const)
  test(`${what} is a problem, and nothing is pruned`, () => {
    const hub = new FakeHub([names]);
    hub.run(forAll, serviceMatches("a/x"));
    hub.objects = [...hub.generated, ...(content === "" ? [] : [templateConfigMap("a", content)])];
    const planned = hub.plan(forAll, serviceMatches("a/x a/y"), options);
    assert.deepEqual(planned.problems.map(lineOfProblem), [expected]);
    assert.deepEqual([planned.changes, planned.waiting], [[], []]);
  });

test("quotes in templates and values need no escaping", () => {
  const hub = new FakeHub([
    templateConfigMap("a", 'x: "{{ index .Resource.metadata.labels "app" }}"\ny: {{ .Resource.metadata.annotations.note }}'),
  ]);
  const object = objectFrom(
    `{apiVersion: v1, kind: Service, metadata: {name: x, namespace: a, labels: {app: web}, annotations: {note: 'say "hi"'}}}`,
  );
  hub.run(forEach, [collectedMatch(object)]);
  assert.deepEqual(hub.texts, ['x: "web"\ny: say "hi"']);
});

test("random passwords stay until something else in their template changes", () => {
  const hub = new FakeHub([templateConfigMap("a", "{{ .MatchingResource.Name }} {{ randAlphaNum 20 }} {{ now | unixEpoch }}")]);
  hub.run(forEach, serviceMatches("a/x"));
  const before = hub.texts;
  assert.match(before[0] ?? "", /^x [0-9A-Za-z]{20} 1767225600$/);
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "");
  hub.objects = hub.objects.map((one) => (one.metadata.name === "a" ? templateConfigMap("a", "new {{ randAlphaNum 20 }}") : one));
  assert.equal(verbsOf(hub.run(forEach, serviceMatches("a/x"))), "update ConfigMap");
  assert.match(hub.texts[0] ?? "", /^new [0-9A-Za-z]{20}$/);
});

test("eventSourceName is a template over the cluster", () => {
  const { templates } = testEnvironment();
  const named = (eventSourceName: string) => eventSourceFor({ eventSourceName, apiGeneration: "C" }, sourceCluster, templates);
  assert.deepEqual(named("{{ .Cluster.metadata.name }}-{{ .ClusterNamespace }}-{{ .ClusterName }}<a>"), { name: "c1-mgmt-c1<a>" });
  assert.deepEqual(named("{{ .Resource }}"), {
    problem: {
      at: "spec.eventSourceName:1:3",
      message: "at <.Resource>: can't evaluate field Resource in type *controllers.currentCluster",
    },
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { valueAt } from "../../../core/object/index.ts";
import {
  yamlDocuments,
  contentYaml,
  serviceEventSource,
  openTriggerFixture,
  labelledService,
  triggerYaml,
} from "../../../../test/support/trigger-fixture.ts";

const text = "{{ .Resource.metadata.name }}";
const configMap = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "content" };

test("each matching object has a profile, which is deleted when it no longer matches", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  assert.deepEqual(await fixture.texts(), []);
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b"]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  const names = await fixture.names();
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b"), labelledService("c")]);
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b", "c: c"]);
  assert.ok(new Set(await fixture.names()).isSupersetOf(new Set(names)));
  await fixture.writeReport("services", "c1", [labelledService("b")]);
  assert.deepEqual(await fixture.texts(), ["b: b"]);
  assert.equal((await fixture.contents()).length, 1);
  await fixture.writeReport("services", "c1", []);
  assert.deepEqual(await fixture.names(), []);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  assert.deepEqual(
    (await fixture.status("t")).matchingClusters?.map(({ name }) => name),
    ["c1"],
  );
  assert.deepEqual(fixture.events, []);
});

test("a generated profile has the metadata that its controller adds, and a steady state writes nothing", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  fixture.fleet.written.length = 0;
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  assert.deepEqual(
    fixture.fleet.written.filter((line) => !line.includes("/clusterprofiles/")),
    [
      "PATCH hub /apis/lib.projectsveltos.io/v1beta1/namespaces/mgmt/eventreports/sveltos--services--c1",
      "POST hub /api/v1/namespaces/projectsveltos/configmaps",
      "POST hub /apis/config.projectsveltos.io/v1beta1/clusterprofiles",
      "PATCH hub /apis/lib.projectsveltos.io/v1beta1/eventtriggers/t/status",
    ],
  );
  const [profile] = await fixture.profiles();
  assert.deepEqual(profile?.metadata["finalizers"], ["clusterprofilefinalizer.projectsveltos.io"]);
  assert.deepEqual(
    Object.fromEntries(Object.entries(profile?.metadata.labels ?? {}).filter(([key]) => key.startsWith("projectsveltos.io/"))),
    {
      "projectsveltos.io/cluster-name": "c1",
      "projectsveltos.io/cluster-profile-name": profile?.metadata.name,
      "projectsveltos.io/cluster-type": "Sveltos",
    },
  );
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(120_000);
  assert.deepEqual(
    fixture.fleet.written.filter((line) => !line.includes("sveltosclusters")),
    [],
  );
});

test("a changed template changes the generated objects under the same names", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  const names = await fixture.names();
  await fixture.apply(contentYaml(`new ${text}`));
  assert.deepEqual(await fixture.texts(), ["a: new a", "b: new b"]);
  assert.deepEqual(await fixture.names(), names);
});

test("a missing ConfigMap is reported, and used as soon as it exists", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const line = "Service default/a: spec.policyRefs[0]: referenced ConfigMap default/content does not exist";
  assert.deepEqual(await fixture.infos("t"), [`c1 Failed ${line}`]);
  assert.deepEqual(fixture.events, [`t Warning MissingReference: ${line}`]);
  await fixture.apply(contentYaml(text));
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  // What is deployed stays when the template goes.
  await fixture.delete(configMap);
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.deepEqual(await fixture.infos("t"), [`c1 Failed ${line}`]);
});

test("a template error is reported with its position, and does not affect others", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml("{{ (index .Resource.spec.ports 1).port }}"), triggerYaml()));
  const two = { ...labelledService("b"), spec: { ports: [{ port: 1 }, { port: 2 }] } };
  await fixture.writeReport("services", "c1", [labelledService("a"), two]);
  assert.deepEqual(await fixture.texts(), ["b: 2"]);
  const [info = ""] = await fixture.infos("t");
  assert.match(info, /^c1 Failed Service default\/a: ConfigMap default\/content, text:1:\d+: at <index .*>: .*out of range/);
  assert.match(fixture.events.join(), /^t Warning TemplateFailed: Service default\/a: ConfigMap default\/content, text:1/);
});

test("a deleted report keeps the generated objects; a deleted EventSource removes them", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const names = await fixture.names();
  await fixture.delete({ ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--services--c1" });
  assert.deepEqual(await fixture.names(), names);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioning there is no report on EventSource services yet"]);
  await fixture.delete({ ...gvkOf("EventSource"), namespace: "", name: "services" });
  assert.deepEqual(await fixture.names(), []);
  assert.deepEqual(await fixture.infos("t"), ["c1 Failed EventSource services does not exist"]);
  assert.deepEqual(fixture.events, ["t Warning EventSourceMissing: EventSource services does not exist"]);
});

test("a missing EventSource is reported, and used as soon as it exists", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(contentYaml(text), triggerYaml()));
  assert.deepEqual(await fixture.infos("t"), ["c1 Failed EventSource services does not exist"]);
  await fixture.apply(serviceEventSource);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioning there is no report on EventSource services yet"]);
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
});

test("a deleted trigger removes its generated objects before its finalizer", async (t) => {
  const fixture = await openTriggerFixture(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml(), triggerYaml("other")));
  await fixture.writeReport("services", "c1", [labelledService("a"), labelledService("b")]);
  await fixture.writeReport("services", "c2", [labelledService("c")]);
  assert.equal((await fixture.profiles()).length, 6);
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  assert.deepEqual((await fixture.fleet.get(ref))?.metadata["finalizers"], ["eventtrigger.finalizer.projectsveltos.io"]);
  await fixture.delete(ref);
  assert.equal(await fixture.fleet.get(ref), undefined);
  assert.deepEqual(await fixture.texts(), ["a: a", "b: b", "c: c"]);
  assert.equal((await fixture.contents()).length, 3);
  assert.deepEqual(await fixture.infos("other"), ["c1 Provisioned", "c2 Provisioned"]);
});

test("a cluster without the label loses the generated objects; one that is not ready keeps them", async (t) => {
  const fixture = await openTriggerFixture(t);
  const cluster = { ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" };
  const patch = (value: object, subresource?: string) =>
    fixture.fleet.until(
      fixture.fleet.hub.patch(cluster, { type: "merge", patch: value }, subresource === undefined ? {} : { subresource }),
    );
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const names = await fixture.names();
  fixture.fleet.unreachable.add("c1");
  await fixture.fleet.advance(240_000);
  assert.equal(valueAt(await fixture.fleet.get(cluster), "status.connectionStatus"), "Down");
  assert.deepEqual(await fixture.names(), names);
  fixture.fleet.unreachable.clear();
  await fixture.fleet.advance(240_000);
  assert.deepEqual(await fixture.names(), names);
  assert.deepEqual(await fixture.infos("t"), ["c1 Provisioned"]);
  await patch({ metadata: { labels: { env: null } } });
  await fixture.pass();
  assert.deepEqual(await fixture.names(), []);
  const { matchingClusters = [], clusterInfo = [] } = await fixture.status("t");
  assert.deepEqual([matchingClusters, clusterInfo], [[], []]);
});

test("generated objects that somebody changes or deletes are restored", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const [made] = await fixture.contents();
  const [profile] = await fixture.profiles();
  assert.ok(made && profile);
  const ref = { ...configMap, namespace: "projectsveltos", name: made.metadata.name };
  await fixture.fleet.until(fixture.fleet.hub.patch(ref, { type: "merge", patch: { data: { text: "mine" } } }));
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  const profileRef = { ...gvkOf("ClusterProfile"), namespace: "", name: profile.metadata.name };
  await fixture.fleet.until(fixture.fleet.hub.patch(profileRef, { type: "merge", patch: { spec: { tier: 5 } } }));
  await fixture.pass();
  assert.equal(valueAt(await fixture.fleet.get(profileRef), "spec.tier"), 100);
  await fixture.delete(profileRef);
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  await fixture.delete(ref);
  assert.deepEqual(await fixture.texts(), ["a: a"]);
  assert.equal((await fixture.names()).length, 2);
});

test("one profile over all matching objects, with LeavePolicies, and a new one when they match again", async (t) => {
  const fixture = await openTriggerFixture(t);
  const over = contentYaml("{{ range .Resources }}{{ .metadata.name }} {{ end }}");
  await fixture.apply(yamlDocuments(serviceEventSource, over, triggerYaml("t", "stopMatchingBehavior: LeavePolicies")));
  await fixture.writeReport("services", "c1", [labelledService("b"), labelledService("a")]);
  assert.deepEqual(await fixture.texts(), ["all: a b "]);
  const [profile] = await fixture.profiles();
  assert.equal(valueAt(profile, "spec.stopMatchingBehavior"), "LeavePolicies");
  await fixture.writeReport("services", "c1", [labelledService("b"), labelledService("a"), labelledService("c")]);
  assert.deepEqual(await fixture.texts(), ["all: a b c "]);
  assert.deepEqual(
    (await fixture.profiles()).map(({ metadata }) => metadata.uid),
    [profile?.metadata.uid],
  );
  await fixture.writeReport("services", "c1", []);
  assert.deepEqual(await fixture.names(), []);
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const [again] = await fixture.profiles();
  assert.notEqual(again?.metadata.name, profile?.metadata.name);
});

test("a ConfigMap that is no template any more leaves no generated objects", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), triggerYaml()));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  const [profile] = await fixture.profiles();
  await fixture.fleet.until(
    fixture.fleet.hub.patch(configMap, { type: "merge", patch: { metadata: { annotations: { "projectsveltos.io/instantiate": null } } } }),
  );
  await fixture.pass();
  assert.deepEqual(await fixture.texts(), ["a: content"]);
  assert.deepEqual(await fixture.names(), [`ClusterProfile ${profile?.metadata.name}`]);
});

const named = (name: string, tier: number) =>
  triggerYaml(name, `oneForEvent: true\nprofileNameFormat: "of-{{ .Resource.metadata.name }}"\ntier: ${tier}`);

test("of two triggers with one name for their profile the first has it, and the other later", async (t) => {
  const fixture = await openTriggerFixture(t);
  await fixture.apply(yamlDocuments(serviceEventSource, contentYaml(text), named("t", 1)));
  await fixture.writeReport("services", "c1", [labelledService("a")]);
  await fixture.apply(named("u", 2));
  const ref = { ...gvkOf("ClusterProfile"), namespace: "", name: "of-a" };
  assert.equal(valueAt(await fixture.fleet.get(ref), "spec.tier"), 1);
  assert.match((await fixture.infos("u")).join(), /^c1 Failed Service default\/a: spec.profileNameFormat: ClusterProfile of-a exists/);
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(60_000);
  assert.deepEqual(
    fixture.fleet.written.filter((line) => !line.includes("sveltosclusters")),
    [],
  );
  await fixture.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" });
  assert.equal(valueAt(await fixture.fleet.get(ref), "spec.tier"), 2);
  assert.deepEqual(await fixture.infos("u"), ["c1 Provisioned"]);
});

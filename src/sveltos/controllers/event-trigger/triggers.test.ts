import assert from "node:assert/strict";
import { test } from "node:test";
import { gvkOf } from "../../api/index.ts";
import { valueAt } from "../../../core/object/index.ts";
import { all, content, eventSource, opened, service, trigger } from "../../../../test/support/trigger-lab.ts";

const text = "{{ .Resource.metadata.name }}";
const configMap = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "content" };

test("a profile for each matching object, and what goes when it no longer matches", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  assert.deepEqual(await lab.texts(), []);
  await lab.reports("services", "c1", [service("a"), service("b")]);
  assert.deepEqual(await lab.texts(), ["a: a", "b: b"]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  const names = await lab.names();
  await lab.reports("services", "c1", [service("a"), service("b"), service("c")]);
  assert.deepEqual(await lab.texts(), ["a: a", "b: b", "c: c"]);
  assert.ok(new Set(await lab.names()).isSupersetOf(new Set(names)));
  await lab.reports("services", "c1", [service("b")]);
  assert.deepEqual(await lab.texts(), ["b: b"]);
  assert.equal((await lab.contents()).length, 1);
  await lab.reports("services", "c1", []);
  assert.deepEqual(await lab.names(), []);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  assert.deepEqual(
    (await lab.status("t")).matchingClusters?.map(({ name }) => name),
    ["c1"],
  );
  assert.deepEqual(lab.notes, []);
});

test("a generated profile is made as its controller wants it, and nothing is written when nothing happens", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  lab.fleet.written.length = 0;
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(
    lab.fleet.written.filter((line) => !line.includes("/clusterprofiles/")),
    [
      "PATCH hub /apis/lib.projectsveltos.io/v1beta1/namespaces/mgmt/eventreports/sveltos--services--c1",
      "POST hub /api/v1/namespaces/projectsveltos/configmaps",
      "POST hub /apis/config.projectsveltos.io/v1beta1/clusterprofiles",
      "PATCH hub /apis/lib.projectsveltos.io/v1beta1/eventtriggers/t/status",
    ],
  );
  const [profile] = await lab.profiles();
  assert.deepEqual(profile?.metadata["finalizers"], ["clusterprofilefinalizer.projectsveltos.io"]);
  assert.deepEqual(
    Object.fromEntries(Object.entries(profile?.metadata.labels ?? {}).filter(([key]) => key.startsWith("projectsveltos.io/"))),
    {
      "projectsveltos.io/cluster-name": "c1",
      "projectsveltos.io/cluster-profile-name": profile?.metadata.name,
      "projectsveltos.io/cluster-type": "Sveltos",
    },
  );
  lab.fleet.written.length = 0;
  await lab.fleet.advance(120_000);
  assert.deepEqual(
    lab.fleet.written.filter((line) => !line.includes("sveltosclusters")),
    [],
  );
});

test("a template that changes changes what was made of it, under the same names", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a"), service("b")]);
  const names = await lab.names();
  await lab.apply(content(`new ${text}`));
  assert.deepEqual(await lab.texts(), ["a: new a", "b: new b"]);
  assert.deepEqual(await lab.names(), names);
});

test("a ConfigMap that is missing is told of, and its coming is enough", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const line = "Service default/a: spec.policyRefs[0]: referenced ConfigMap default/content does not exist";
  assert.deepEqual(await lab.infos("t"), [`c1 Failed ${line}`]);
  assert.deepEqual(lab.notes, [`t Warning MissingReference: ${line}`]);
  await lab.apply(content(text));
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  // What is deployed stays when the template goes.
  await lab.delete(configMap);
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.deepEqual(await lab.infos("t"), [`c1 Failed ${line}`]);
});

test("a template with an error is told of with its place, and costs the others nothing", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content("{{ (index .Resource.spec.ports 1).port }}"), trigger()));
  const two = { ...service("b"), spec: { ports: [{ port: 1 }, { port: 2 }] } };
  await lab.reports("services", "c1", [service("a"), two]);
  assert.deepEqual(await lab.texts(), ["b: 2"]);
  const [info = ""] = await lab.infos("t");
  assert.match(info, /^c1 Failed Service default\/a: ConfigMap default\/content, text:1:\d+: at <index .*>: .*out of range/);
  assert.match(lab.notes.join(), /^t Warning TemplateFailed: Service default\/a: ConfigMap default\/content, text:1/);
});

test("nothing goes with a report; all goes with the EventSource", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  await lab.delete({ ...gvkOf("EventReport"), namespace: "mgmt", name: "sveltos--services--c1" });
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning there is no report on EventSource services yet"]);
  await lab.delete({ ...gvkOf("EventSource"), namespace: "", name: "services" });
  assert.deepEqual(await lab.names(), []);
  assert.deepEqual(await lab.infos("t"), ["c1 Failed EventSource services does not exist"]);
  assert.deepEqual(lab.notes, ["t Warning EventSourceMissing: EventSource services does not exist"]);
});

test("an EventSource that never was is told of, and its coming is enough", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(content(text), trigger()));
  assert.deepEqual(await lab.infos("t"), ["c1 Failed EventSource services does not exist"]);
  await lab.apply(eventSource);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioning there is no report on EventSource services yet"]);
  await lab.reports("services", "c1", [service("a")]);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
});

test("a trigger that is deleted takes away what it made before it goes", async (t) => {
  const lab = await opened(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await lab.apply(all(eventSource, content(text), trigger(), trigger("other")));
  await lab.reports("services", "c1", [service("a"), service("b")]);
  await lab.reports("services", "c2", [service("c")]);
  assert.equal((await lab.profiles()).length, 6);
  const ref = { ...gvkOf("EventTrigger"), namespace: "", name: "t" };
  assert.deepEqual((await lab.fleet.get(ref))?.metadata["finalizers"], ["eventtrigger.finalizer.projectsveltos.io"]);
  await lab.delete(ref);
  assert.equal(await lab.fleet.get(ref), undefined);
  assert.deepEqual(await lab.texts(), ["a: a", "b: b", "c: c"]);
  assert.equal((await lab.contents()).length, 3);
  assert.deepEqual(await lab.infos("other"), ["c1 Provisioned", "c2 Provisioned"]);
});

test("a cluster that loses its label loses what was made; one that is not ready keeps it", async (t) => {
  const lab = await opened(t);
  const cluster = { ...gvkOf("SveltosCluster"), namespace: "mgmt", name: "c1" };
  const patch = (value: object, subresource?: string) =>
    lab.fleet.until(lab.fleet.hub.patch(cluster, { type: "merge", patch: value }, subresource === undefined ? {} : { subresource }));
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const names = await lab.names();
  lab.fleet.unreachable.add("c1");
  await lab.fleet.advance(240_000);
  assert.equal(valueAt(await lab.fleet.get(cluster), "status.connectionStatus"), "Down");
  assert.deepEqual(await lab.names(), names);
  lab.fleet.unreachable.clear();
  await lab.fleet.advance(240_000);
  assert.deepEqual(await lab.names(), names);
  assert.deepEqual(await lab.infos("t"), ["c1 Provisioned"]);
  await patch({ metadata: { labels: { env: null } } });
  await lab.pass();
  assert.deepEqual(await lab.names(), []);
  const { matchingClusters = [], clusterInfo = [] } = await lab.status("t");
  assert.deepEqual([matchingClusters, clusterInfo], [[], []]);
});

test("what somebody else changes or deletes is put back", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const [made] = await lab.contents();
  const [profile] = await lab.profiles();
  assert.ok(made && profile);
  const ref = { ...configMap, namespace: "projectsveltos", name: made.metadata.name };
  await lab.fleet.until(lab.fleet.hub.patch(ref, { type: "merge", patch: { data: { text: "mine" } } }));
  await lab.pass();
  assert.deepEqual(await lab.texts(), ["a: a"]);
  const profileRef = { ...gvkOf("ClusterProfile"), namespace: "", name: profile.metadata.name };
  await lab.fleet.until(lab.fleet.hub.patch(profileRef, { type: "merge", patch: { spec: { tier: 5 } } }));
  await lab.pass();
  assert.equal(valueAt(await lab.fleet.get(profileRef), "spec.tier"), 100);
  await lab.delete(profileRef);
  assert.deepEqual(await lab.texts(), ["a: a"]);
  await lab.delete(ref);
  assert.deepEqual(await lab.texts(), ["a: a"]);
  assert.equal((await lab.names()).length, 2);
});

test("one profile over all matching objects, with LeavePolicies, and a new one when they match again", async (t) => {
  const lab = await opened(t);
  const over = content("{{ range .Resources }}{{ .metadata.name }} {{ end }}");
  await lab.apply(all(eventSource, over, trigger("t", "stopMatchingBehavior: LeavePolicies")));
  await lab.reports("services", "c1", [service("b"), service("a")]);
  assert.deepEqual(await lab.texts(), ["all: a b "]);
  const [profile] = await lab.profiles();
  assert.equal(valueAt(profile, "spec.stopMatchingBehavior"), "LeavePolicies");
  await lab.reports("services", "c1", [service("b"), service("a"), service("c")]);
  assert.deepEqual(await lab.texts(), ["all: a b c "]);
  assert.deepEqual(
    (await lab.profiles()).map(({ metadata }) => metadata.uid),
    [profile?.metadata.uid],
  );
  await lab.reports("services", "c1", []);
  assert.deepEqual(await lab.names(), []);
  await lab.reports("services", "c1", [service("a")]);
  const [again] = await lab.profiles();
  assert.notEqual(again?.metadata.name, profile?.metadata.name);
});

test("a template that is no longer one leaves nothing behind", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), trigger()));
  await lab.reports("services", "c1", [service("a")]);
  const [profile] = await lab.profiles();
  await lab.fleet.until(
    lab.fleet.hub.patch(configMap, { type: "merge", patch: { metadata: { annotations: { "projectsveltos.io/instantiate": null } } } }),
  );
  await lab.pass();
  assert.deepEqual(await lab.texts(), ["a: content"]);
  assert.deepEqual(await lab.names(), [`ClusterProfile ${profile?.metadata.name}`]);
});

const named = (name: string, tier: number) =>
  trigger(name, `oneForEvent: true\nprofileNameFormat: "of-{{ .Resource.metadata.name }}"\ntier: ${tier}`);

test("the first of two triggers has the name that both choose; the other has it after it", async (t) => {
  const lab = await opened(t);
  await lab.apply(all(eventSource, content(text), named("t", 1)));
  await lab.reports("services", "c1", [service("a")]);
  await lab.apply(named("u", 2));
  const ref = { ...gvkOf("ClusterProfile"), namespace: "", name: "of-a" };
  assert.equal(valueAt(await lab.fleet.get(ref), "spec.tier"), 1);
  assert.match((await lab.infos("u")).join(), /^c1 Failed Service default\/a: spec.profileNameFormat: ClusterProfile of-a exists/);
  lab.fleet.written.length = 0;
  await lab.fleet.advance(60_000);
  assert.deepEqual(
    lab.fleet.written.filter((line) => !line.includes("sveltosclusters")),
    [],
  );
  await lab.delete({ ...gvkOf("EventTrigger"), namespace: "", name: "t" });
  assert.equal(valueAt(await lab.fleet.get(ref), "spec.tier"), 2);
  assert.deepEqual(await lab.infos("u"), ["c1 Provisioned"]);
});

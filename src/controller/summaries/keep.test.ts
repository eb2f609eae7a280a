import assert from "node:assert/strict";
import { test } from "node:test";
import { content, refs, source, SummaryLab } from "./fixture.test.ts";

const accountWith = (x: string) => `{apiVersion: v1, kind: ServiceAccount, metadata: {name: p-c1, namespace: mgmt, labels: {x: "${x}"}}}`;
const clusterWith = (metadata: string, spec = "") =>
  `{apiVersion: lib.projectsveltos.io/v1beta1, kind: SveltosCluster, metadata: {name: c1, namespace: mgmt, ${metadata}}, spec: {${spec}}}`;

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a summary of a ${type} cluster is deployed, follows its content, and is withdrawn`, async (t) => {
    const lab = await SummaryLab.open({ type });
    t.after(() => lab.close());
    await lab.apply(source("s", { a: content("a=1 b=1") }));
    await lab.want("demo", refs("s"));
    assert.equal(await lab.configMaps(), "a=1 b=1");
    assert.equal(await lab.state("demo"), "Provisioned");
    assert.equal((await lab.status("demo")).dependencies, "no dependencies");
    await lab.apply(source("s", { a: content("a=2") }));
    assert.equal(await lab.configMaps(), "a=2", "the ConfigMap has changed");
    lab.fleet.written.length = 0;
    await lab.fleet.advance(3_600_000);
    assert.deepEqual(lab.fleet.written, [], "what is steady writes nothing");
    await lab.apply(source("t", { a: content("c=1") }));
    await lab.want("demo", refs("t"));
    assert.equal(await lab.configMaps(), "c=1");
    await lab.unwant("demo");
    assert.equal(await lab.configMaps(), "");
    assert.equal(await lab.summary("demo"), undefined);
    assert.equal(await lab.configuration(), undefined);
  });
}

test("LeavePolicies leaves what is there, and a profile in DryRun withdraws nothing", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.apply(source("t", { a: content("b=1") }));
  await lab.want("one", `stopMatchingBehavior: LeavePolicies\n${refs("s")}`);
  await lab.want("two", refs("t"));
  await lab.want("two", `syncMode: DryRun\n${refs("t")}`);
  await lab.unwant("one");
  await lab.unwant("two");
  assert.equal(await lab.configMaps(), "a=1 b=1");
  assert.equal(await lab.summary("one"), undefined);
  assert.equal(await lab.summary("two"), undefined);
});

test("a reference that is not there fails the feature, and is deployed when it comes", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.want("demo", refs("s"));
  assert.equal(await lab.state("demo"), "Referenced resource: ConfigMap default/s does not exist");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(3_600_000);
  assert.deepEqual(lab.fleet.written, [], "only its coming can help");
  await lab.apply(source("s", { a: content("a=1") }));
  assert.equal(await lab.state("demo"), "Provisioned");
  await lab.fleet.until(lab.fleet.hub.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "s" }));
  await lab.fleet.advance(1000);
  assert.match(await lab.state("demo"), /does not exist/);
  assert.equal(await lab.configMaps(), "a=1", "what is deployed stays");
});

test("names and texts are templates over the cluster: its labels, and objects of the management cluster", async (t) => {
  const lab = await SummaryLab.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => lab.close());
  const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default}
data: {v: "{{ .Cluster.metadata.labels.env }}-{{ .MgmtResources.Account.metadata.labels.x }}"}`;
  await lab.apply(source("s-c1", { a: template }, { "projectsveltos.io/template": "ok" }));
  await lab.apply(accountWith("1"));
  await lab.want(
    "demo",
    `policyRefs: [{kind: ConfigMap, namespace: default, name: "s-{{ .Cluster.metadata.name }}"}]
templateResourceRefs: [{identifier: Account, resource: {apiVersion: v1, kind: ServiceAccount, name: "p-{{ .Cluster.metadata.name }}"}}]`,
  );
  assert.equal(await lab.configMaps(), "a=fv-1", await lab.state("demo"));
  await lab.apply(accountWith("2"));
  assert.equal(await lab.configMaps(), "a=fv-2", "what templates use has changed");
  await lab.apply(clusterWith("labels: {env: qa}"));
  assert.equal(await lab.configMaps(), "a=qa-2", "the labels of the cluster have changed");
});

test("what is not built is refused in the status; what is deployed stays", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("demo", refs("s"));
  await lab.want("demo", `reloader: true\n${refs("s")}`);
  assert.match((await lab.status("demo")).failureMessage ?? "", /reloader/);
  assert.equal(await lab.configMaps(), "a=1");
  await lab.want("demo", refs("s"));
  assert.equal((await lab.status("demo")).failureMessage, undefined);
});

test("nothing is done while the cluster or the profile is paused", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  const paused = { annotations: { "profile.projectsveltos.io/paused": "ok" } };
  await lab.want("demo", refs("s"), paused);
  assert.equal((await lab.status("demo")).reconciliationSuspended, true);
  await lab.want("demo", refs("s"));
  assert.equal(await lab.configMaps(), "a=1");
  assert.equal((await lab.status("demo")).reconciliationSuspended, undefined);
  await lab.apply(clusterWith("", "paused: true"));
  assert.equal((await lab.status("demo")).suspensionReason, "cluster mgmt/c1 is paused");
  await lab.apply(source("s", { a: content("a=2") }));
  await lab.unwant("demo");
  assert.equal(await lab.configMaps(), "a=1");
  await lab.apply(clusterWith("", "paused: false"));
  assert.equal(await lab.configMaps(), "");
  assert.equal(await lab.summary("demo"), undefined);
});

test("OneTime deploys once", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("demo", `syncMode: OneTime\n${refs("s")}`);
  assert.equal(await lab.state("demo"), "Provisioned");
  await lab.apply(source("s", { a: content("a=2") }));
  assert.equal(await lab.configMaps(), "a=1");
});

test("a summary that is made without a finalizer gets one before anything is deployed for it", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("demo", refs("s"), { finalizers: [] });
  assert.deepEqual((await lab.summary("demo"))?.metadata.finalizers, ["clustersummaryfinalizer.projectsveltos.io"]);
  await lab.unwant("demo");
  assert.equal(await lab.configMaps(), "");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { resetFeatures, summaryStatusOf } from "../../deploy/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";

const accountWith = (x: string) => `{apiVersion: v1, kind: ServiceAccount, metadata: {name: p-c1, namespace: mgmt, labels: {x: "${x}"}}}`;
const clusterWith = (metadata: string, spec = "") =>
  `{apiVersion: lib.projectsveltos.io/v1beta1, kind: SveltosCluster, metadata: {name: c1, namespace: mgmt, ${metadata}}, spec: {${spec}}}`;

for (const type of ["Sveltos", "Capi"] as const) {
  test(`a summary of a ${type} cluster is deployed, follows its content, and is withdrawn`, async (t) => {
    const fixture = await SummaryFixture.open({ type });
    t.after(() => fixture.close());
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
    await fixture.deploy("demo", policyRefsYaml("s"));
    assert.equal(await fixture.configMaps(), "a=1 b=1");
    assert.equal(await fixture.state("demo"), "Provisioned");
    assert.equal((await fixture.status("demo")).dependencies, "no dependencies");
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2") }));
    assert.equal(await fixture.configMaps(), "a=2", "the ConfigMap has changed");
    fixture.fleet.written.length = 0;
    await fixture.fleet.advance(600_000);
    assert.deepEqual(fixture.fleet.written, [], "what is steady writes nothing");
    await fixture.apply(sourceYaml("t", { a: configMapsYaml("c=1") }));
    await fixture.deploy("demo", policyRefsYaml("t"));
    assert.equal(await fixture.configMaps(), "c=1");
    await fixture.withdraw("demo");
    assert.equal(await fixture.configMaps(), "");
    assert.equal(await fixture.summary("demo"), undefined);
    assert.equal(await fixture.configuration(), undefined);
  });
}

test("LeavePolicies keeps the objects, DryRun withdraws nothing, OneTime deploys once", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  for (const name of ["a", "b", "c", "d"]) await fixture.apply(sourceYaml(name, { a: configMapsYaml(`${name}=1`) }));
  await fixture.deploy("leaves", `stopMatchingBehavior: LeavePolicies\n${policyRefsYaml("a")}`);
  await fixture.deploy("dry", policyRefsYaml("b"));
  await fixture.deploy("dry", `syncMode: DryRun\n${policyRefsYaml("b")}`);
  await fixture.deploy("once", `syncMode: OneTime\n${policyRefsYaml("c")}`);
  await fixture.deploy("bare", policyRefsYaml("d"), { finalizers: [] });
  assert.deepEqual(
    (await fixture.summary("bare"))?.metadata.finalizers,
    ["clustersummaryfinalizer.projectsveltos.io"],
    "what is deployed is held",
  );
  assert.equal(await fixture.state("once"), "Provisioned");
  await fixture.apply(sourceYaml("c", { a: configMapsYaml("c=2") }));
  assert.equal(await fixture.configMaps(), "a=1 b=1 c=1 d=1");
  for (const name of ["leaves", "dry", "once", "bare"]) await fixture.withdraw(name);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  for (const name of ["leaves", "dry", "once", "bare"]) assert.equal(await fixture.summary(name), undefined);
});

test("a missing reference fails the feature until it exists; an unsupported spec is refused", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.deploy("demo", policyRefsYaml("s"));
  assert.equal(await fixture.state("demo"), "Referenced resource: ConfigMap default/s does not exist");
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  assert.deepEqual(fixture.fleet.written, [], "only its coming can help");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  assert.equal(await fixture.state("demo"), "Provisioned");
  await fixture.fleet.until(fixture.fleet.hub.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "s" }));
  await fixture.fleet.advance(1000);
  assert.match(await fixture.state("demo"), /does not exist/);
  assert.equal(await fixture.configMaps(), "a=1", "what is deployed stays");
  await fixture.deploy("demo", `reloader: true\n${policyRefsYaml("s")}`);
  assert.match((await fixture.status("demo")).failureMessage ?? "", /reloader/, "what is not built is refused");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2") }));
  assert.equal(await fixture.configMaps(), "a=1");
  await fixture.deploy("demo", policyRefsYaml("s"));
  assert.equal(await fixture.configMaps(), "a=2");
  assert.equal((await fixture.status("demo")).failureMessage, undefined);
});

test("names and texts are templates over the cluster: its labels, and objects of the management cluster", async (t) => {
  const fixture = await SummaryFixture.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  const template = `apiVersion: v1
kind: ConfigMap
metadata: {name: a, namespace: default}
data: {v: "{{ .Cluster.metadata.labels.env }}-{{ .MgmtResources.Account.metadata.labels.x }}"}`;
  await fixture.apply(sourceYaml("s-c1", { a: template }, { "projectsveltos.io/template": "ok" }));
  await fixture.apply(accountWith("1"));
  await fixture.deploy(
    "demo",
    `policyRefs: [{kind: ConfigMap, namespace: default, name: "s-{{ .Cluster.metadata.name }}"}]
templateResourceRefs: [{identifier: Account, resource: {apiVersion: v1, kind: ServiceAccount, name: "p-{{ .Cluster.metadata.name }}"}}]`,
  );
  assert.equal(await fixture.configMaps(), "a=fv-1", await fixture.state("demo"));
  await fixture.apply(accountWith("2"));
  assert.equal(await fixture.configMaps(), "a=fv-2", "what templates use has changed");
  await fixture.apply(clusterWith("labels: {env: qa}"));
  assert.equal(await fixture.configMaps(), "a=qa-2", "the labels of the cluster have changed");
});

test("nothing is deployed or withdrawn while the cluster or the profile is paused", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const paused = { annotations: { "profile.projectsveltos.io/paused": "ok" } };
  await fixture.deploy("demo", policyRefsYaml("s"), paused);
  assert.equal((await fixture.status("demo")).reconciliationSuspended, true);
  await fixture.deploy("demo", policyRefsYaml("s"));
  assert.equal(await fixture.configMaps(), "a=1");
  assert.equal((await fixture.status("demo")).reconciliationSuspended, undefined);
  await fixture.apply(clusterWith("", "paused: true"));
  assert.equal((await fixture.status("demo")).suspensionReason, "cluster mgmt/c1 is paused");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2") }));
  await fixture.withdraw("demo");
  assert.equal(await fixture.configMaps(), "a=1");
  await fixture.apply(clusterWith("", "paused: false"));
  assert.equal(await fixture.configMaps(), "");
  assert.equal(await fixture.summary("demo"), undefined);
});

const owners = (object: KubeObject | undefined) => object?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`);

test("a cluster has one ClusterConfiguration for all its profiles, as Sveltos leaves it", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("demo-objects", { a: configMapsYaml("first=red second=blue") }));
  await fixture.deploy("demo", policyRefsYaml("demo-objects"));
  const configuration = await fixture.configuration();
  // As corpus/sveltos-recorded/09-clusterprofile/1-after.json has it.
  assert.equal(configuration?.metadata.name, "sveltos--c1");
  assert.deepEqual(configuration.metadata.labels, { "projectsveltos.io/cluster-name": "c1", "projectsveltos.io/cluster-type": "Sveltos" });
  assert.deepEqual(owners(configuration), ["ClusterProfile demo"]);
  const [entry] = listAt(configuration, "status.clusterProfileResources");
  assert.equal(stringAt(entry, "clusterProfileName"), "demo");
  const [feature] = listAt(entry, "Features");
  assert.equal(stringAt(feature, "featureID"), "Resources");
  const [first] = listAt(feature, "resources");
  assert.equal(typeof first?.["lastAppliedTime"], "string");
  assert.deepEqual(
    { ...first, lastAppliedTime: "" },
    {
      group: "",
      version: "v1",
      kind: "ConfigMap",
      namespace: "default",
      name: "first",
      ignoreForConfigurationDrift: false,
      lastAppliedTime: "",
      owner: { kind: "ConfigMap", name: "demo-objects", namespace: "default" },
    },
  );
  await fixture.apply(sourceYaml("own", { a: configMapsYaml("own=1") }).replace('"namespace":"default"', '"namespace":"mgmt"'));
  const names = ["p1", "p2", "p3", "p4"];
  for (const name of names) await fixture.apply(sourceYaml(name, { a: configMapsYaml(`${name}=1`) }));
  const summaries: KubeObject[] = [];
  for (const name of names) summaries.push(await fixture.summaryFor(name, policyRefsYaml(name)));
  summaries.push(await fixture.summaryFor("mine", "policyRefs: [{kind: ConfigMap, name: own}]", { kind: "Profile" }));
  fixture.fleet.written.length = 0;
  await fixture.fleet.until(Promise.all(summaries.map((summary) => fixture.fleet.hub.create(summary))));
  await fixture.fleet.advance(1000);
  const all = await fixture.configuration();
  assert.deepEqual(
    listAt(all, "status.clusterProfileResources")
      .map((each) => stringAt(each, "clusterProfileName"))
      .toSorted(),
    ["demo", ...names],
  );
  assert.deepEqual(
    listAt(all, "status.profileResources").map((each) => stringAt(each, "profileName")),
    ["mine"],
  );
  assert.deepEqual(owners(all)?.toSorted(), ["ClusterProfile demo", ...names.map((name) => `ClusterProfile ${name}`), "Profile mine"]);
  const writes = fixture.fleet.written.filter((line) => line.includes("clusterconfigurations"));
  assert.ok(writes.length < 10, `what comes together is written together: ${writes.length}`);
  await fixture.withdraw("demo");
  assert.equal(listAt(await fixture.configuration(), "status.clusterProfileResources").length, 4);
  assert.ok(!owners(await fixture.configuration())?.includes("ClusterProfile demo"));
});

test("a chart is a release, and a summary that is reset is reconciled again", async (t) => {
  const template = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: "{{ .Values.v }}"}\n`;
  const tiny = (version: string) =>
    chartOf({
      "Chart.yaml": `apiVersion: v2\nname: tiny\nversion: ${version}\nappVersion: "1.0"\n`,
      "values.yaml": "v: chart\n",
      "templates/a.yaml": template,
    });
  const fixture = await SummaryFixture.open({ context: { charts: ({ chartVersion }) => Promise.resolve({ chart: tiny(chartVersion) }) } });
  t.after(() => fixture.close());
  const spec = `syncMode: ContinuousWithDriftDetection
helmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/tiny, chartVersion: 0.1.0, releaseName: tiny, releaseNamespace: apps, valuesFrom: [{kind: ConfigMap, namespace: default, name: values}]}]`;
  await fixture.apply(sourceYaml("values", { a: "v: one" }));
  await fixture.deploy("demo", spec);
  assert.equal(await fixture.configMaps("c1", "apps"), "tiny=one", await fixture.state("demo"));
  await fixture.apply(sourceYaml("values", { a: "v: two" }));
  assert.equal(await fixture.configMaps("c1", "apps"), "tiny=two", "its values have changed");
  const [entry] = listAt(await fixture.configuration(), "status.clusterProfileResources");
  const [chart] = listAt(listAt(entry, "Features")[0], "charts");
  assert.deepEqual(
    { ...chart, lastAppliedTime: "" },
    {
      repoURL: "http://charts.example",
      releaseName: "tiny",
      namespace: "apps",
      chartVersion: "0.1.0",
      appVersion: "1.0",
      lastAppliedTime: "",
    },
  );
  await fixture.apply(configMapsYaml("tiny=9").replace('"default"', '"apps"'), "c1");
  assert.equal(await fixture.configMaps("c1", "apps"), "tiny=two", "drift of a chart is put back");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("other", policyRefsYaml("s"));
  await fixture.apply(configMapsYaml("a=9"), "c1");
  const summary = (await fixture.summary("other"))!;
  await fixture.fleet.until(
    fixture.fleet.hub.replace({ ...summary, status: resetFeatures(summaryStatusOf(summary)) }, { subresource: "status" }),
  );
  await fixture.fleet.advance(1000);
  assert.equal(await fixture.configMaps(), "a=1");
  assert.equal(await fixture.state("other"), "Provisioned");
  await fixture.deploy("rival", `tier: 50\n${spec}`);
  assert.deepEqual(
    [await fixture.state("demo"), await fixture.state("rival")],
    ["cannot manage chart apps/tiny. ClusterSummary rival-sveltos-c1 managing it.", "Provisioned"],
  );
  await fixture.withdraw("rival");
  assert.equal(await fixture.state("demo"), "Provisioned", "it is handed back");
  await fixture.withdraw("demo");
  assert.equal(await fixture.configMaps("c1", "apps"), "");
  assert.deepEqual(Object.keys(fieldsAt(await fixture.configuration(), "status")), ["clusterProfileResources"]);
});

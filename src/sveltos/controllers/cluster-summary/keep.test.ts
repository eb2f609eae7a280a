import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { content, refs, source } from "../../../../test/support/addon-content.ts";
import { SummaryLab } from "../../../../test/support/summary-lab.ts";
import { reset, statusOf } from "../../deploy/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";

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
    await lab.fleet.advance(600_000);
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

test("LeavePolicies leaves what is there, a profile in DryRun withdraws nothing, OneTime deploys once", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  for (const name of ["a", "b", "c", "d"]) await lab.apply(source(name, { a: content(`${name}=1`) }));
  await lab.want("leaves", `stopMatchingBehavior: LeavePolicies\n${refs("a")}`);
  await lab.want("dry", refs("b"));
  await lab.want("dry", `syncMode: DryRun\n${refs("b")}`);
  await lab.want("once", `syncMode: OneTime\n${refs("c")}`);
  await lab.want("bare", refs("d"), { finalizers: [] });
  assert.deepEqual(
    (await lab.summary("bare"))?.metadata.finalizers,
    ["clustersummaryfinalizer.projectsveltos.io"],
    "what is deployed is held",
  );
  assert.equal(await lab.state("once"), "Provisioned");
  await lab.apply(source("c", { a: content("c=2") }));
  assert.equal(await lab.configMaps(), "a=1 b=1 c=1 d=1");
  for (const name of ["leaves", "dry", "once", "bare"]) await lab.unwant(name);
  assert.equal(await lab.configMaps(), "a=1 b=1");
  for (const name of ["leaves", "dry", "once", "bare"]) assert.equal(await lab.summary(name), undefined);
});

test("a reference that is not there fails the feature, and is deployed when it comes; what is not built is refused", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.want("demo", refs("s"));
  assert.equal(await lab.state("demo"), "Referenced resource: ConfigMap default/s does not exist");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, [], "only its coming can help");
  await lab.apply(source("s", { a: content("a=1") }));
  assert.equal(await lab.state("demo"), "Provisioned");
  await lab.fleet.until(lab.fleet.hub.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "s" }));
  await lab.fleet.advance(1000);
  assert.match(await lab.state("demo"), /does not exist/);
  assert.equal(await lab.configMaps(), "a=1", "what is deployed stays");
  await lab.want("demo", `reloader: true\n${refs("s")}`);
  assert.match((await lab.status("demo")).failureMessage ?? "", /reloader/, "what is not built is refused");
  await lab.apply(source("s", { a: content("a=2") }));
  assert.equal(await lab.configMaps(), "a=1");
  await lab.want("demo", refs("s"));
  assert.equal(await lab.configMaps(), "a=2");
  assert.equal((await lab.status("demo")).failureMessage, undefined);
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

const owners = (object: KubeObject | undefined) => object?.metadata.ownerReferences?.map(({ kind, name }) => `${kind} ${name}`);

test("a cluster has one ClusterConfiguration for all its profiles, as Sveltos leaves it", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("demo-objects", { a: content("first=red second=blue") }));
  await lab.want("demo", refs("demo-objects"));
  const configuration = await lab.configuration();
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
  await lab.apply(source("own", { a: content("own=1") }).replace('"namespace":"default"', '"namespace":"mgmt"'));
  const names = ["p1", "p2", "p3", "p4"];
  for (const name of names) await lab.apply(source(name, { a: content(`${name}=1`) }));
  const summaries: KubeObject[] = [];
  for (const name of names) summaries.push(await lab.summaryFor(name, refs(name)));
  summaries.push(await lab.summaryFor("mine", "policyRefs: [{kind: ConfigMap, name: own}]", { kind: "Profile" }));
  lab.fleet.written.length = 0;
  await lab.fleet.until(Promise.all(summaries.map((summary) => lab.fleet.hub.create(summary))));
  await lab.fleet.advance(1000);
  const all = await lab.configuration();
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
  const writes = lab.fleet.written.filter((line) => line.includes("clusterconfigurations"));
  assert.ok(writes.length < 10, `what comes together is written together: ${writes.length}`);
  await lab.unwant("demo");
  assert.equal(listAt(await lab.configuration(), "status.clusterProfileResources").length, 4);
  assert.ok(!owners(await lab.configuration())?.includes("ClusterProfile demo"));
});

test("a chart is a release, and a summary that is reset is looked at again", async (t) => {
  const template = `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\ndata: {v: "{{ .Values.v }}"}\n`;
  const tiny = (version: string) =>
    chartOf({
      "Chart.yaml": `apiVersion: v2\nname: tiny\nversion: ${version}\nappVersion: "1.0"\n`,
      "values.yaml": "v: chart\n",
      "templates/a.yaml": template,
    });
  const lab = await SummaryLab.open({ desk: { charts: ({ chartVersion }) => Promise.resolve(tiny(chartVersion)) } });
  t.after(() => lab.close());
  const spec = `syncMode: ContinuousWithDriftDetection
helmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/tiny, chartVersion: 0.1.0, releaseName: tiny, releaseNamespace: apps, valuesFrom: [{kind: ConfigMap, namespace: default, name: values}]}]`;
  await lab.apply(source("values", { a: "v: one" }));
  await lab.want("demo", spec);
  assert.equal(await lab.configMaps("c1", "apps"), "tiny=one", await lab.state("demo"));
  await lab.apply(source("values", { a: "v: two" }));
  assert.equal(await lab.configMaps("c1", "apps"), "tiny=two", "its values have changed");
  const [entry] = listAt(await lab.configuration(), "status.clusterProfileResources");
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
  await lab.apply(content("tiny=9").replace('"default"', '"apps"'), "c1");
  assert.equal(await lab.configMaps("c1", "apps"), "tiny=two", "drift of a chart is put back");
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("other", refs("s"));
  await lab.apply(content("a=9"), "c1");
  const summary = (await lab.summary("other"))!;
  await lab.fleet.until(lab.fleet.hub.replace({ ...summary, status: reset(statusOf(summary)) }, { subresource: "status" }));
  await lab.fleet.advance(1000);
  assert.equal(await lab.configMaps(), "a=1");
  assert.equal(await lab.state("other"), "Provisioned");
  await lab.want("rival", `tier: 50\n${spec}`);
  assert.deepEqual(
    [await lab.state("demo"), await lab.state("rival")],
    ["cannot manage chart apps/tiny. ClusterSummary rival-sveltos-c1 managing it.", "Provisioned"],
  );
  await lab.unwant("rival");
  assert.equal(await lab.state("demo"), "Provisioned", "it is handed back");
  await lab.unwant("demo");
  assert.equal(await lab.configMaps("c1", "apps"), "");
  assert.deepEqual(Object.keys(fieldsAt(await lab.configuration(), "status")), ["clusterProfileResources"]);
});

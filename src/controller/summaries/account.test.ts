import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../test/chart-of.ts";
import { reset, statusOf } from "../../addon/deploy/index.ts";
import { fieldsAt, listAt, stringAt, type KubeObject } from "../../object/index.ts";
import { content, refs, source, SummaryLab } from "./fixture.test.ts";

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
  await lab.unwant("demo");
  assert.equal(await lab.configMaps("c1", "apps"), "");
  assert.deepEqual(Object.keys(fieldsAt(await lab.configuration(), "status")), ["clusterProfileResources"]);
});

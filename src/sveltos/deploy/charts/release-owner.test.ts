import assert from "node:assert/strict";
import { test } from "node:test";
import { chartOf } from "../../../../test/support/chart-of.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../../test/support/deploy/deploy-fixture.ts";
import { historyOf } from "../../../release/record/index.ts";
import { gvkOf } from "../../api/index.ts";
import { deployProfile } from "../index.ts";

const release = { name: "tiny", namespace: "apps" };

async function open(): Promise<DeployFixture> {
  const fixture = await DeployFixture.open();
  const files = { "templates/a.yaml": 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: tiny}\ndata: {v: "{{ .Values.v }}"}\n' };
  fixture.charts = () => Promise.resolve({ chart: chartOf(files) });
  return fixture;
}

const spec = (v: string, tier = 100) =>
  `tier: ${tier}\nhelmCharts: [{repositoryURL: "http://charts.example", repositoryName: r, chartName: r/web, chartVersion: 0.1.0, releaseName: tiny, releaseNamespace: apps, values: "v: ${v}"}]`;

const summaryOf = (name: string) => ({ ...gvkOf("ClusterSummary"), namespace: "mgmt", name: `${name}-sveltos-c1` });

async function ownerOf(fixture: DeployFixture): Promise<string | undefined> {
  const latest = await fixture.until(historyOf(fixture.managed).latest(release));
  return latest?.annotations?.["projectsveltos.io/owner-name"];
}

test("the newest record of a release names the profile that manages it, and another one may not touch it", async () => {
  const fixture = await open();
  assert.equal((await fixture.deploy(spec("1"), { name: "one" })).failure, undefined);
  assert.equal(await ownerOf(fixture), "one");
  const { failure } = await fixture.deploy(spec("2"), { name: "two" });
  assert.equal(failure, "cannot manage chart apps/tiny. ClusterSummary one-sveltos-c1 managing it.");
  assert.equal(await fixture.configMaps("apps"), "tiny=1");
  assert.equal((await fixture.deploy(spec("2", 50), { name: "two" })).failure, undefined, "a lower tier takes it over");
  assert.deepEqual([await ownerOf(fixture), await fixture.configMaps("apps")], ["two", "tiny=2"]);
  assert.match((await fixture.deploy(spec("3"), { name: "one" })).failure ?? "", /ClusterSummary two-sveltos-c1/);
});

test("a release whose manager has gone is managed by the next profile", async () => {
  const fixture = await open();
  await fixture.deploy(spec("1"), { name: "one" });
  await fixture.until(fixture.hub.delete(summaryOf("one")));
  assert.equal((await fixture.deploy(spec("2", 200), { name: "two" })).failure, undefined);
  assert.deepEqual([await ownerOf(fixture), await fixture.configMaps("apps")], ["two", "tiny=2"]);
});

test("a release that another profile waits for is handed over with its marks, and that one removes it in the end", async () => {
  const fixture = await open();
  await fixture.deploy(spec("1"), { name: "one" });
  await fixture.deploy(spec("2"), { name: "two" });
  assert.equal((await fixture.withdraw(spec("1"), { name: "one" })).outcome.settled, true);
  assert.deepEqual([await ownerOf(fixture), await fixture.configMaps("apps")], ["two", "tiny=1"]);
  assert.equal((await fixture.deploy(spec("2"), { name: "two" })).failure, undefined);
  assert.equal(await fixture.configMaps("apps"), "tiny=2");
  await fixture.until(fixture.hub.delete(summaryOf("one")));
  await fixture.withdraw(spec("2"), { name: "two" });
  assert.equal(await fixture.configMaps("apps"), "");
});

test("what is deployed for another profile while a deploy waits for the Lease is left alone", async () => {
  const fixture = await open();
  const [one, two] = [await fixture.request(spec("1"), "one"), await fixture.request(spec("2"), "two")];
  const runs = [one, two].map((request) => fixture.collect(deployProfile(request, fixture.context, { signal: never })));
  const failures = (await Promise.all(runs)).flatMap(({ failure }) => failure ?? []);
  assert.equal(failures.length, 1, "one of them says so");
  const owner = await ownerOf(fixture);
  assert.equal(await fixture.configMaps("apps"), `tiny=${owner === "one" ? 1 : 2}`);
  assert.match(failures[0] ?? "", new RegExp(`ClusterSummary ${owner}-sveltos-c1`));
});

test("a release that was handed over to a profile which is withdrawn before it has deployed it is removed", async () => {
  const fixture = await open();
  await fixture.deploy(spec("1"), { name: "one" });
  await fixture.deploy(spec("2"), { name: "two" });
  await fixture.withdraw(spec("1"), { name: "one" });
  await fixture.until(fixture.hub.delete(summaryOf("one")));
  await fixture.withdraw(spec("2"), { name: "two" });
  assert.equal(await fixture.configMaps("apps"), "");
});

test("a conflict of a release does not keep a failed object from being tried again", async () => {
  const fixture = await open();
  await fixture.deploy(spec("1"), { name: "one" });
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  fixture.refuses = (path) => path.includes("/configmaps/a");
  const both = await fixture.deploy(`${spec("2")}\n${policyRefsYaml("s")}`, { name: "two" });
  assert.deepEqual([both.outcome.settled, both.outcome.final], [false, false]);
  fixture.refuses = () => false;
  const conflict = await fixture.deploy(`${spec("2")}\n${policyRefsYaml("s")}`, { name: "two" });
  assert.deepEqual([conflict.outcome.settled, conflict.outcome.final], [false, true]);
  assert.equal(await fixture.configMaps(), "a=1");
});

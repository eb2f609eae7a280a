import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, jobYaml, policyRefsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { SummaryFixture } from "../../../../test/support/summary-fixture.ts";
import { noTelemetry, type RecordedEvent } from "../../telemetry/index.ts";

const check = `validateHealths: [{name: fit, featureID: Resources, group: "", version: v1, kind: ConfigMap, namespace: default, script: 'function evaluate() return {healthy = obj.metadata.name ~= "probe" or obj.data.v == "well", message = "v is " .. tostring(obj.data.v)} end'}]`;

test("a dependent is deployed after its dependency, and withdrawn before it", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(configMapsYaml("probe=ill"), "c1");
  await fixture.apply(sourceYaml("base", { a: configMapsYaml("base=1") }));
  await fixture.apply(sourceYaml("app", { a: configMapsYaml("app=1") }));
  await fixture.deploy("app", `dependsOn: [base]\n${policyRefsYaml("app")}`);
  assert.equal((await fixture.status("app")).dependencies, "waiting: ClusterProfile base is not deployed to this cluster");
  await fixture.deploy("base", `${check}\n${policyRefsYaml("base")}`);
  assert.match(await fixture.state("base"), /probe: v is ill/);
  assert.equal((await fixture.status("app")).dependencies, "waiting: ClusterProfile base is not provisioned yet (Resources)");
  fixture.fleet.written.length = 0;
  await fixture.fleet.advance(600_000);
  assert.deepEqual(fixture.fleet.written, [], "nobody asks again and again");
  await fixture.apply(configMapsYaml("probe=well"), "c1");
  assert.equal(await fixture.state("base"), "Provisioned", "health is watched");
  assert.equal(await fixture.configMaps(), "app=1 base=1 probe=well");
  assert.equal((await fixture.status("app")).dependencies, "all dependencies are deployed");

  const [base, app] = [
    await fixture.summaryFor("base", policyRefsYaml("base2")),
    await fixture.summaryFor("app", `dependsOn: [base]\n${policyRefsYaml("app2")}`),
  ];
  for (const each of [app, base]) await fixture.fleet.until(fixture.fleet.hub.apply(each, { manager: "profiles", force: true }));
  await fixture.fleet.advance(1000);
  await fixture.apply(sourceYaml("app2", { a: configMapsYaml("app=2") }));
  assert.match(await fixture.configMaps(), /app=1/, "base is changing: its new content is not there yet");
  await fixture.apply(sourceYaml("base2", { a: configMapsYaml("base=2") }));
  assert.equal(await fixture.configMaps(), "app=2 base=2 probe=well");

  await fixture.withdraw("base");
  assert.match((await fixture.status("base")).dependencies ?? "", /app-sveltos-c1 must be withdrawn first/);
  assert.equal(await fixture.configMaps(), "app=2 base=2 probe=well");
  await fixture.withdraw("app");
  assert.equal(await fixture.configMaps(), "probe=well");
  assert.equal(await fixture.summary("base"), undefined);
});

test("profiles in a dependency cycle are not deployed, and can be withdrawn", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  await fixture.deploy("one", `dependsOn: [two]\n${policyRefsYaml("s")}`);
  await fixture.deploy("two", `dependsOn: [one]\n${policyRefsYaml("s")}`);
  assert.match((await fixture.status("one")).dependencies ?? "", /two is not provisioned yet/);
  assert.equal(await fixture.configMaps(), "");
  await fixture.withdraw("one");
  await fixture.withdraw("two");
  assert.deepEqual([await fixture.summary("one"), await fixture.summary("two")], [undefined, undefined]);
});

const texts = (value: string) => ({
  a: configMapsYaml(`last=${value}`, { "werf.io/weight": "2" }),
  b: jobYaml("first", { "werf.io/weight": "1" }),
  c: jobYaml("hook", { "helm.sh/hook": "pre-install,post-delete" }),
});

test("weights and hooks inside a profile work; the same content runs none again", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  const made = () =>
    fixture.fleet.written.filter((line) => /^PATCH c1 .*(jobs|configmaps)\//.test(line)).map((line) => line.split("/").at(-1));
  await fixture.apply(sourceYaml("s", texts("1")));
  await fixture.deploy("demo", policyRefsYaml("s"));
  await fixture.fleet.advance(60_000);
  assert.deepEqual(made(), ["hook", "first", "last"]);
  assert.equal(await fixture.state("demo"), "Provisioned");
  await fixture.deploy("demo", `tier: 90\n${policyRefsYaml("s")}`);
  await fixture.apply(sourceYaml("s", texts("2")));
  assert.equal(made().filter((name) => name === "hook").length, 1, "an upgrade is no install");
  await fixture.withdraw("demo");
  await fixture.fleet.advance(60_000);
  assert.equal(made().filter((name) => name === "hook").length, 2);
  assert.equal(await fixture.summary("demo"), undefined);
});

test("of two profiles with the same object the lower tier has it; the other reports a conflict, and takes it over later", async (t) => {
  const events: string[] = [];
  const counted: string[] = [];
  const recordEvent = (about: { kind: string; metadata: { name: string } }, { reason }: RecordedEvent) =>
    void events.push(`${about.kind} ${about.metadata.name} ${reason}`);
  const count = (metric: string, labels: Readonly<Record<string, string>> = {}) => void counted.push(`${metric} ${labels["outcome"]}`);
  const fixture = await SummaryFixture.open({ context: { telemetry: { ...noTelemetry, recordEvent, count } } });
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("only-one=1 shared=1") }));
  await fixture.apply(sourceYaml("two", { a: configMapsYaml("only-two=2 shared=2") }));
  await fixture.deploy("one", policyRefsYaml("one"));
  await fixture.deploy("two", policyRefsYaml("two"));
  // The words of Sveltos 0.51: spec/sveltos-observed.md, scenario 10.
  assert.equal(
    await fixture.state("two"),
    "Object ConfigMap:default/shared currently deployed because of ConfigMap default/one.\n Sveltos instance currently deploying this resource: ClusterProfile one;\n",
  );
  assert.equal(await fixture.configMaps(), "only-one=1 shared=1");
  assert.ok(events.includes("ClusterSummary two-sveltos-c1 DeployFailed"), events.join());
  assert.ok(events.includes("ClusterProfile two DeployFailed"));
  assert.ok(counted.includes("sluice_deploys_total failed"));
  await fixture.deploy("two", `tier: 50\n${policyRefsYaml("two")}`);
  assert.equal(await fixture.configMaps(), "only-one=1 only-two=2 shared=2", "the loser loses nothing else");
  assert.match(await fixture.state("one"), /ClusterProfile two;/, "and says so");
  assert.equal(await fixture.state("two"), "Provisioned");
  await fixture.fleet.advance(600_000);
  fixture.fleet.written.length = 0;
  await fixture.withdraw("two");
  assert.equal(await fixture.configMaps(), "only-one=1 shared=1", "at once");
  assert.equal(await fixture.state("one"), "Provisioned");
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("only-one=1") }));
  await fixture.deploy("two", policyRefsYaml("two"));
  assert.equal(await fixture.state("two"), "Provisioned");
});

test("an object that a profile gives up is taken over by a waiting profile", async (t) => {
  const fixture = await SummaryFixture.open();
  t.after(() => fixture.close());
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("shared=1") }));
  await fixture.apply(sourceYaml("two", { a: configMapsYaml("shared=2") }));
  await fixture.deploy("one", policyRefsYaml("one"));
  await fixture.deploy("two", policyRefsYaml("two"));
  await fixture.fleet.advance(600_000);
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("other=1") }));
  assert.equal(await fixture.configMaps(), "other=1 shared=2");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { content, job, refs, source } from "../../../../test/support/addon-content.ts";
import { SummaryLab } from "../../../../test/support/summary-lab.ts";
import { silent, type Happening } from "../../telemetry/index.ts";

const check = `validateHealths: [{name: fit, featureID: Resources, group: "", version: v1, kind: ConfigMap, namespace: default, script: 'function evaluate() return {healthy = obj.metadata.name ~= "probe" or obj.data.v == "well", message = "v is " .. tostring(obj.data.v)} end'}]`;

test("what depends on a profile waits until all of it is there, and goes before it", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(content("probe=ill"), "c1");
  await lab.apply(source("base", { a: content("base=1") }));
  await lab.apply(source("app", { a: content("app=1") }));
  await lab.want("app", `dependsOn: [base]\n${refs("app")}`);
  assert.equal((await lab.status("app")).dependencies, "waiting: ClusterProfile base is not deployed to this cluster");
  await lab.want("base", `${check}\n${refs("base")}`);
  assert.match(await lab.state("base"), /probe: v is ill/);
  assert.equal((await lab.status("app")).dependencies, "waiting: ClusterProfile base is not provisioned yet (Resources)");
  lab.fleet.written.length = 0;
  await lab.fleet.advance(600_000);
  assert.deepEqual(lab.fleet.written, [], "nobody asks again and again");
  await lab.apply(content("probe=well"), "c1");
  assert.equal(await lab.state("base"), "Provisioned", "health is watched");
  assert.equal(await lab.configMaps(), "app=1 base=1 probe=well");
  assert.equal((await lab.status("app")).dependencies, "all dependencies are deployed");

  const [base, app] = [await lab.summaryFor("base", refs("base2")), await lab.summaryFor("app", `dependsOn: [base]\n${refs("app2")}`)];
  for (const each of [app, base]) await lab.fleet.until(lab.fleet.hub.apply(each, { manager: "profiles", force: true }));
  await lab.fleet.advance(1000);
  await lab.apply(source("app2", { a: content("app=2") }));
  assert.match(await lab.configMaps(), /app=1/, "base is changing: its new content is not there yet");
  await lab.apply(source("base2", { a: content("base=2") }));
  assert.equal(await lab.configMaps(), "app=2 base=2 probe=well");

  await lab.unwant("base");
  assert.match((await lab.status("base")).dependencies ?? "", /app-sveltos-c1 must be withdrawn first/);
  assert.equal(await lab.configMaps(), "app=2 base=2 probe=well");
  await lab.unwant("app");
  assert.equal(await lab.configMaps(), "probe=well");
  assert.equal(await lab.summary("base"), undefined);
});

test("profiles that depend on each other deploy nothing, and can be withdrawn", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("s", { a: content("a=1") }));
  await lab.want("one", `dependsOn: [two]\n${refs("s")}`);
  await lab.want("two", `dependsOn: [one]\n${refs("s")}`);
  assert.match((await lab.status("one")).dependencies ?? "", /two is not provisioned yet/);
  assert.equal(await lab.configMaps(), "");
  await lab.unwant("one");
  await lab.unwant("two");
  assert.deepEqual([await lab.summary("one"), await lab.summary("two")], [undefined, undefined]);
});

const texts = (value: string) => ({
  a: content(`last=${value}`, { "werf.io/weight": "2" }),
  b: job("first", { "werf.io/weight": "1" }),
  c: job("hook", { "helm.sh/hook": "pre-install,post-delete" }),
});

test("weights and hooks inside a profile work; the same content runs none again", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  const made = () => lab.fleet.written.filter((line) => /^PATCH c1 .*(jobs|configmaps)\//.test(line)).map((line) => line.split("/").at(-1));
  await lab.apply(source("s", texts("1")));
  await lab.want("demo", refs("s"));
  await lab.fleet.advance(60_000);
  assert.deepEqual(made(), ["hook", "first", "last"]);
  assert.equal(await lab.state("demo"), "Provisioned");
  await lab.want("demo", `tier: 90\n${refs("s")}`);
  await lab.apply(source("s", texts("2")));
  assert.equal(made().filter((name) => name === "hook").length, 1, "an upgrade is no install");
  await lab.unwant("demo");
  await lab.fleet.advance(60_000);
  assert.equal(made().filter((name) => name === "hook").length, 2);
  assert.equal(await lab.summary("demo"), undefined);
});

test("of two profiles that want an object the lower tier gets it; the loser says so, and takes over when the winner goes", async (t) => {
  const told: string[] = [];
  const counted: string[] = [];
  const note = (about: { kind: string; metadata: { name: string } }, { reason }: Happening) =>
    void told.push(`${about.kind} ${about.metadata.name} ${reason}`);
  const count = (metric: string, labels: Readonly<Record<string, string>> = {}) => void counted.push(`${metric} ${labels["outcome"]}`);
  const lab = await SummaryLab.open({ desk: { chronicle: { ...silent, note, count } } });
  t.after(() => lab.close());
  await lab.apply(source("one", { a: content("only-one=1 shared=1") }));
  await lab.apply(source("two", { a: content("only-two=2 shared=2") }));
  await lab.want("one", refs("one"));
  await lab.want("two", refs("two"));
  // The words of Sveltos 0.51: spec/sveltos-observed.md, scenario 10.
  assert.equal(
    await lab.state("two"),
    "Object ConfigMap:default/shared currently deployed because of ConfigMap default/one.\n Sveltos instance currently deploying this resource: ClusterProfile one;\n",
  );
  assert.equal(await lab.configMaps(), "only-one=1 shared=1");
  assert.ok(told.includes("ClusterSummary two-sveltos-c1 DeployFailed"), told.join());
  assert.ok(told.includes("ClusterProfile two DeployFailed"));
  assert.ok(counted.includes("sluice_deploys_total failed"));
  await lab.want("two", `tier: 50\n${refs("two")}`);
  assert.equal(await lab.configMaps(), "only-one=1 only-two=2 shared=2", "the loser loses nothing else");
  assert.match(await lab.state("one"), /ClusterProfile two;/, "and says so");
  assert.equal(await lab.state("two"), "Provisioned");
  await lab.fleet.advance(600_000);
  lab.fleet.written.length = 0;
  await lab.unwant("two");
  assert.equal(await lab.configMaps(), "only-one=1 shared=1", "at once");
  assert.equal(await lab.state("one"), "Provisioned");
  await lab.apply(source("one", { a: content("only-one=1") }));
  await lab.want("two", refs("two"));
  assert.equal(await lab.state("two"), "Provisioned");
});

test("who gives up an object leaves it to whoever waits for it", async (t) => {
  const lab = await SummaryLab.open();
  t.after(() => lab.close());
  await lab.apply(source("one", { a: content("shared=1") }));
  await lab.apply(source("two", { a: content("shared=2") }));
  await lab.want("one", refs("one"));
  await lab.want("two", refs("two"));
  await lab.fleet.advance(600_000);
  await lab.apply(source("one", { a: content("other=1") }));
  assert.equal(await lab.configMaps(), "other=1 shared=2");
});

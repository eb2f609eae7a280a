import assert from "node:assert/strict";
import { test } from "node:test";
import { silent, type Happening } from "../chronicle/index.ts";
import { content, refs, source, SummaryLab } from "./fixture.test.ts";

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

import assert from "node:assert/strict";
import { test } from "node:test";
import { content, refs, source, SummaryLab } from "./fixture.ts";

test("a summary is deployed, follows its content, and is withdrawn", async (t) => {
  const lab = await SummaryLab.open();
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

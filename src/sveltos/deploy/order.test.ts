import assert from "node:assert/strict";
import { test } from "node:test";
import { content, job, refs, source } from "../../../test/support/addon-content.ts";
import { Lab } from "../../../test/support/deploy/lab.ts";

const hook = (event: string) => ({ "helm.sh/hook": event });
const jobsMade = (lab: Lab) =>
  lab.written.filter((line) => line.startsWith("PATCH c1 /apis/batch/v1/")).map((line) => line.split("/").at(-1));

test("weights are kept, and each waits until those before are ready", async () => {
  const lab = await Lab.open();
  const first = job("first", { "werf.io/weight": "1" });
  await lab.apply(source("s", { a: content("last=1", { "werf.io/weight": "2" }), b: first }));
  const { lines, failure } = await lab.deploy(refs("s"));
  assert.equal(failure, undefined);
  assert.deepEqual(lines.slice(0, 3), ["apply job/first", "await job/first", "apply configmap/last"]);
});

test("content without a word about order is Provisioned once it is applied", async () => {
  const lab = await Lab.open([{ match: { image: "good" }, start: { at: "1h" } }]);
  await lab.apply(source("s", { a: job("slow"), b: content("a=1") }));
  const before = lab.clock.now();
  const { outcome, lines } = await lab.deploy(refs("s"));
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Provisioned");
  assert.deepEqual(lines.toSorted(), ["apply configmap/a", "apply job/slow"]);
  assert.ok(lab.clock.now() - before < 60_000);
});

test("hooks: an install first, then upgrades; the same content runs none; deletion last", async () => {
  const lab = await Lab.open();
  const hooks = ["pre-install", "post-upgrade", "pre-delete"].map((event) => job(event, hook(event))).join("\n---\n");
  const sourceWith = (value: string) => source("s", { a: content(`a=${value}`), h: hooks });
  await lab.apply(sourceWith("1"));
  await lab.deploy(refs("s"));
  assert.deepEqual(jobsMade(lab), ["pre-install"]);
  await lab.deploy(refs("s"));
  await lab.deploy(`tier: 90\n${refs("s")}`);
  assert.deepEqual(jobsMade(lab), ["pre-install"], "another tier is no other content");
  assert.equal((await lab.find("ConfigMap/default/a"))?.metadata.annotations?.["projectsveltos.io/owner-tier"], "90");
  await lab.apply(sourceWith("2"));
  await lab.deploy(refs("s"));
  assert.deepEqual(jobsMade(lab), ["pre-install", "post-upgrade"]);
  await lab.until(lab.hub.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "s" }));
  const { lines } = await lab.withdraw(refs("s"));
  assert.deepEqual(jobsMade(lab), ["pre-install", "post-upgrade", "pre-delete"], "known without their source");
  assert.ok(lines.indexOf("await job/pre-delete") < lines.indexOf("delete configmap/a"));
  assert.equal(await lab.configMaps(), "");
});

test("a hook that fails fails the feature, and what it guards is not touched", async () => {
  const lab = await Lab.open([{ match: { image: "good" }, fail: { exitCode: 1, at: "1s" } }]);
  await lab.apply(source("s", { a: content("a=1 b=1") }));
  await lab.deploy(refs("s"));
  await lab.apply(source("s", { a: content("a=2"), h: job("migrate", hook("pre-upgrade")) }));
  const { failure, outcome } = await lab.deploy(refs("s"));
  assert.match(failure ?? "", /^job\/migrate: /);
  assert.equal(outcome.status.releases?.[0]?.state, "failed");
  assert.equal(await lab.configMaps(), "a=1 b=1");
  await lab.apply(source("s", { a: content("a=3") }));
  const last = await lab.deploy(refs("s"));
  assert.equal(last.failure, undefined);
  assert.equal(last.outcome.status.releases?.[0]?.revision, 2);
  assert.equal(await lab.configMaps(), "a=3");
});

test("what leaves goes in the reverse order of its coming", async () => {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("first=1", { "werf.io/weight": "1" }), b: content("last=1", { "werf.io/weight": "2" }) }));
  await lab.deploy(refs("s"));
  const { lines } = await lab.withdraw(refs("s"));
  assert.deepEqual(
    lines.filter((line) => line.startsWith("delete")),
    ["delete configmap/last", "delete configmap/first"],
  );
});

test("an order that contradicts itself is refused before anything is touched", async () => {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("a=1", { "werf.io/weight": "1", "kots.io/creation-phase": "2" }) }));
  assert.match((await lab.deploy(refs("s"))).failure ?? "", /werf\.io\/weight/);
  assert.equal(await lab.configMaps(), "");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, jobYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture } from "../../../test/support/deploy/deploy-fixture.ts";

const hook = (event: string) => ({ "helm.sh/hook": event });
const jobsMade = (fixture: DeployFixture) =>
  fixture.written.filter((line) => line.startsWith("PATCH c1 /apis/batch/v1/")).map((line) => line.split("/").at(-1));

test("manifests are applied by weight, each after the ones before are ready", async () => {
  const fixture = await DeployFixture.open();
  const first = jobYaml("first", { "werf.io/weight": "1" });
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("last=1", { "werf.io/weight": "2" }), b: first }));
  const { lines, failure } = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(failure, undefined);
  assert.deepEqual(lines.slice(0, 3), ["apply job/first", "await job/first", "apply configmap/last"]);
});

test("content without order annotations is Provisioned once it is applied", async () => {
  const fixture = await DeployFixture.open([{ match: { image: "good" }, start: { at: "1h" } }]);
  await fixture.apply(sourceYaml("s", { a: jobYaml("slow"), b: configMapsYaml("a=1") }));
  const before = fixture.clock.now();
  const { outcome, lines } = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Provisioned");
  assert.deepEqual(lines.toSorted(), ["apply configmap/a", "apply job/slow"]);
  assert.ok(fixture.clock.now() - before < 60_000);
});

test("hooks: an install first, then upgrades; the same content runs none; deletion last", async () => {
  const fixture = await DeployFixture.open();
  const hooks = ["pre-install", "post-upgrade", "pre-delete"].map((event) => jobYaml(event, hook(event))).join("\n---\n");
  const sourceWith = (value: string) => sourceYaml("s", { a: configMapsYaml(`a=${value}`), h: hooks });
  await fixture.apply(sourceWith("1"));
  await fixture.deploy(policyRefsYaml("s"));
  assert.deepEqual(jobsMade(fixture), ["pre-install"]);
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.deploy(`tier: 90\n${policyRefsYaml("s")}`);
  assert.deepEqual(jobsMade(fixture), ["pre-install"], "another tier is no other content");
  assert.equal((await fixture.find("ConfigMap/default/a"))?.metadata.annotations?.["projectsveltos.io/owner-tier"], "90");
  await fixture.apply(sourceWith("2"));
  await fixture.deploy(policyRefsYaml("s"));
  assert.deepEqual(jobsMade(fixture), ["pre-install", "post-upgrade"]);
  await fixture.until(fixture.hub.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "s" }));
  const { lines } = await fixture.withdraw(policyRefsYaml("s"));
  assert.deepEqual(jobsMade(fixture), ["pre-install", "post-upgrade", "pre-delete"], "known without their source");
  assert.ok(lines.indexOf("await job/pre-delete") < lines.indexOf("delete configmap/a"));
  assert.equal(await fixture.configMaps(), "");
});

test("a failing hook fails the feature, and what follows it is not applied", async () => {
  const fixture = await DeployFixture.open([{ match: { image: "good" }, fail: { exitCode: 1, at: "1s" } }]);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
  await fixture.deploy(policyRefsYaml("s"));
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2"), h: jobYaml("migrate", hook("pre-upgrade")) }));
  const { failure, outcome } = await fixture.deploy(policyRefsYaml("s"));
  assert.match(failure ?? "", /^job\/migrate: /);
  assert.equal(outcome.status.releases?.[0]?.state, "failed");
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=3") }));
  const last = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(last.failure, undefined);
  assert.equal(last.outcome.status.releases?.[0]?.revision, 2);
  assert.equal(await fixture.configMaps(), "a=3");
});

test("objects are pruned in reverse order", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(
    sourceYaml("s", { a: configMapsYaml("first=1", { "werf.io/weight": "1" }), b: configMapsYaml("last=1", { "werf.io/weight": "2" }) }),
  );
  await fixture.deploy(policyRefsYaml("s"));
  const { lines } = await fixture.withdraw(policyRefsYaml("s"));
  assert.deepEqual(
    lines.filter((line) => line.startsWith("delete")),
    ["delete configmap/last", "delete configmap/first"],
  );
});

test("a contradictory order is an error before any write", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1", { "werf.io/weight": "1", "kots.io/creation-phase": "2" }) }));
  assert.match((await fixture.deploy(policyRefsYaml("s"))).failure ?? "", /werf\.io\/weight/);
  assert.equal(await fixture.configMaps(), "");
});

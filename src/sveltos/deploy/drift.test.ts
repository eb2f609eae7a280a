import assert from "node:assert/strict";
import { test } from "node:test";
import { readDrift, repairDrift } from "./index.ts";
import { configMapsYaml, jobYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";

const spec = `syncMode: ContinuousWithDriftDetection\n${policyRefsYaml("s")}`;

async function drift(fixture: DeployFixture): Promise<readonly string[]> {
  const request = await fixture.request(spec);
  return (await fixture.until(readDrift(request, fixture.context, { signal: never }))).map(({ name }) => name);
}

test("changed and deleted objects are drift, and repaired without hooks", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(
    sourceYaml("s", {
      a: configMapsYaml("a=1 b=1 c=1"),
      i: configMapsYaml("i=1", { "projectsveltos.io/driftDetectionIgnore": "ok" }),
      h: jobYaml("h", { "helm.sh/hook": "post-install,post-upgrade" }),
    }),
  );
  assert.equal((await fixture.deploy(spec)).failure, undefined);
  assert.deepEqual(await drift(fixture), []);
  await fixture.apply(configMapsYaml("a=9 i=9"), fixture.managed);
  await fixture.until(fixture.managed.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "b" }));
  assert.deepEqual(await drift(fixture), ["a", "b"]);
  fixture.written.length = 0;
  const { lines } = await fixture.collect(repairDrift(await fixture.request(spec), fixture.context, { signal: never }));
  assert.deepEqual(lines.toSorted(), ["apply configmap/a", "apply configmap/b"]);
  assert.equal(await fixture.configMaps(), "a=1 b=1 c=1 i=9");
  assert.deepEqual(await drift(fixture), []);
});

test("a Job that was deleted after its TTL is no drift, and does not run again in an upgrade", async () => {
  const fixture = await DeployFixture.open();
  const short = jobYaml("short", {}, { ttlSecondsAfterFinished: 10 });
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1"), j: short }));
  await fixture.deploy(spec);
  await fixture.clock.advance(600_000);
  assert.equal(await fixture.find("Job/default/short"), undefined);
  assert.deepEqual(await drift(fixture), []);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=2"), j: short }));
  assert.equal((await fixture.deploy(spec)).failure, undefined);
  assert.equal(await fixture.find("Job/default/short"), undefined);
});

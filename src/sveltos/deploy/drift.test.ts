import assert from "node:assert/strict";
import { test } from "node:test";
import { drifted, repair } from "./index.ts";
import { content, job, refs, source } from "../../../test/support/addon-content.ts";
import { Lab, never } from "../../../test/support/deploy/lab.ts";

const spec = `syncMode: ContinuousWithDriftDetection\n${refs("s")}`;

async function drift(lab: Lab): Promise<readonly string[]> {
  const request = await lab.request(spec);
  return (await lab.until(drifted(request, lab.site, { signal: never }))).map(({ name }) => name);
}

test("what was changed or taken away is drift, and is put back without hooks", async () => {
  const lab = await Lab.open();
  await lab.apply(
    source("s", {
      a: content("a=1 b=1 c=1"),
      i: content("i=1", { "projectsveltos.io/driftDetectionIgnore": "ok" }),
      h: job("h", { "helm.sh/hook": "post-install,post-upgrade" }),
    }),
  );
  assert.equal((await lab.deploy(spec)).failure, undefined);
  assert.deepEqual(await drift(lab), []);
  await lab.apply(content("a=9 i=9"), lab.managed);
  await lab.until(lab.managed.delete({ group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "b" }));
  assert.deepEqual(await drift(lab), ["a", "b"]);
  lab.written.length = 0;
  const { lines } = await lab.told(repair(await lab.request(spec), lab.site, { signal: never }));
  assert.deepEqual(lines.toSorted(), ["apply configmap/a", "apply configmap/b"]);
  assert.equal(await lab.configMaps(), "a=1 b=1 c=1 i=9");
  assert.deepEqual(await drift(lab), []);
});

test("a Job that is gone because its time was over is no drift, and is not run again by an upgrade", async () => {
  const lab = await Lab.open();
  const short = job("short", {}, { ttlSecondsAfterFinished: 10 });
  await lab.apply(source("s", { a: content("a=1"), j: short }));
  await lab.deploy(spec);
  await lab.clock.advance(600_000);
  assert.equal(await lab.find("Job/default/short"), undefined);
  assert.deepEqual(await drift(lab), []);
  await lab.apply(source("s", { a: content("a=2"), j: short }));
  assert.equal((await lab.deploy(spec)).failure, undefined);
  assert.equal(await lab.find("Job/default/short"), undefined);
});

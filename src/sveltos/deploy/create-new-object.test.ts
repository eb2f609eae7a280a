import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";

const path = "/api/v1/namespaces/default/configmaps/a";
const one = sourceYaml("s", { a: configMapsYaml("a=1") });
const foreign = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: default}, data: {v: other, w: own}}";

test("a single new object costs one request, after the record", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(one);
  fixture.written.length = 0;
  const { lines, outcome } = await fixture.deploy(policyRefsYaml("s"));
  assert.deepEqual([lines, outcome.settled, await fixture.configMaps()], [["apply configmap/a"], true, "a=1"]);
  assert.deepEqual(
    fixture.requested.filter((each) => !each.endsWith("/configmaps")),
    [`PATCH c1 ${path}`],
  );
  const [, , ...writes] = fixture.written;
  assert.deepEqual(
    writes.map((each) => each.replace(/\/[^ ]*\//, "")),
    ["PUT hub status", "PATCH c1 a", "PUT hub status"],
  );
});

test("an object that is there is looked at first", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(one);
  await fixture.apply(foreign, fixture.managed);
  const { outcome } = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(outcome.settled, true);
  assert.deepEqual((await fixture.find("ConfigMap/default/a"))?.["data"], { v: "1", w: "own" });
});

test("an object of another profile is a conflict", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(one);
  await fixture.deploy(policyRefsYaml("s"), { name: "first" });
  await fixture.apply(sourceYaml("t", { a: configMapsYaml("a=2") }));
  const { outcome, failure } = await fixture.deploy(policyRefsYaml("t"), { name: "second" });
  assert.equal(outcome.settled, false);
  assert.match(failure ?? "", /ConfigMap.*a.*ClusterProfile first/s);
  assert.equal(await fixture.configMaps(), "a=1");
});

test("a missing namespace is created, and a refusal is told as ever", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1", {}, "new") }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).outcome.settled, true);
  assert.equal(await fixture.configMaps("new"), "a=1");
  await fixture.apply(sourceYaml("t", { b: configMapsYaml("b=1") }));
  fixture.refuses = (to) => to.includes("/configmaps/b");
  const { outcome, failure } = await fixture.deploy(policyRefsYaml("t"), { name: "second" });
  assert.equal(outcome.settled, false);
  assert.match(failure ?? "", /configmap\/b: .*not today/);
});

test("killed after any write, nothing is lost", async () => {
  for (let count = 1, wasKilled = true; wasKilled; count++) {
    const fixture = await DeployFixture.open();
    await fixture.apply(one);
    const kill = new AbortController();
    await fixture.request(policyRefsYaml("s"));
    let left = count;
    fixture.afterWrite = () => void (--left === 0 && kill.abort(new Error("killed")));
    await fixture.deploy(policyRefsYaml("s"), { signal: kill.signal }).catch(() => undefined);
    fixture.afterWrite = () => undefined;
    wasKilled = kill.signal.aborted;
    // The content is another one when somebody takes over: what was created for the old one goes.
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("b=1") }));
    const { outcome } = await fixture.deploy(policyRefsYaml("s"), { signal: never });
    assert.deepEqual([outcome.settled, await fixture.configMaps()], [true, "b=1"], `killed after write ${count}`);
  }
});

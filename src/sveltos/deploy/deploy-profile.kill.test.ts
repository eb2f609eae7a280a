import assert from "node:assert/strict";
import { test } from "node:test";
import { deployProfile, Superseded } from "./index.ts";
import { configMapsYaml, jobYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, never } from "../../../test/support/deploy/deploy-fixture.ts";

const killed = new Error("killed");

/** Does `work` again and again, killed after its n-th write the first time, until it is through. */
async function killedAfter(fixture: DeployFixture, count: number, work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const kill = new AbortController();
  let left = count;
  fixture.afterWrite = () => void (--left === 0 && kill.abort(killed));
  const ended = await work(kill.signal).then(
    () => true,
    (error: unknown) => (kill.signal.aborted ? false : Promise.reject(error)),
  );
  fixture.afterWrite = () => undefined;
  if (!ended) await work(never);
  return kill.signal.aborted;
}

const hooks = jobYaml("pre", { "helm.sh/hook": "pre-install" }) + "\n---\n" + jobYaml("gone", { "helm.sh/hook": "post-delete" });
const first = sourceYaml("s", { a: configMapsYaml("a=1 b=1", {}, "new"), c: configMapsYaml("c=1", { "werf.io/weight": "5" }), h: hooks });
const second = sourceYaml("s", { a: configMapsYaml("a=2", {}, "new"), h: hooks });

async function story(count: number): Promise<boolean> {
  const fixture = await DeployFixture.open();
  await fixture.apply(first);
  let wasKilled = await killedAfter(fixture, count, (signal) => fixture.deploy(policyRefsYaml("s"), { signal }));
  assert.equal(`${await fixture.configMaps("new")} ${await fixture.configMaps()}`, "a=1 b=1 c=1");
  await fixture.apply(second);
  wasKilled = (await killedAfter(fixture, count, (signal) => fixture.deploy(policyRefsYaml("s"), { signal }))) || wasKilled;
  assert.equal(`${await fixture.configMaps("new")} ${await fixture.configMaps()}`, "a=2 ");
  const summary = await fixture.summary(policyRefsYaml("s"));
  const release = (summary["status"] as { releases: { revision: number; state: string }[] }).releases[0];
  assert.deepEqual([release?.revision, release?.state], [2, "deployed"]);
  wasKilled = (await killedAfter(fixture, count, (signal) => fixture.withdraw(policyRefsYaml("s"), { signal }))) || wasKilled;
  assert.equal(`${await fixture.configMaps("new")} ${await fixture.configMaps()}`, " ");
  assert.notEqual(await fixture.find("Job/default/gone"), undefined, "the hook of the deletion ran");
  return wasKilled;
}

test("killed after any write, the next call continues", async () => {
  let count = 1;
  while (await story(count)) count++;
  assert.ok(count > 8, `there were ${count} writes`);
});

test("a deploy of an outdated spec stops as superseded", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const request = await fixture.request(policyRefsYaml("s"));
  await fixture.summary(`tier: 7\n${policyRefsYaml("s")}`);
  await assert.rejects(fixture.collect(deployProfile(request, fixture.context, { signal: never })), Superseded);
  assert.equal(await fixture.configMaps(), "", "the first thing is to write down what begins");
});

test("a deploy after an interrupted withdrawal is an install", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(first);
  await fixture.deploy(policyRefsYaml("s"));
  const kill = new AbortController();
  let left = 3;
  fixture.afterWrite = () => void (--left === 0 && kill.abort(killed));
  await fixture.withdraw(policyRefsYaml("s"), { signal: kill.signal }).catch(() => undefined);
  fixture.afterWrite = () => undefined;
  const { outcome } = await fixture.deploy(policyRefsYaml("s"));
  assert.equal(outcome.settled, true);
  assert.equal(`${await fixture.configMaps("new")} ${await fixture.configMaps()}`, "a=1 b=1 c=1");
  assert.equal(outcome.status.releases?.[0]?.revision, 1);
});

test("status fields that others write meanwhile are kept", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  const request = await fixture.request(policyRefsYaml("s"));
  await fixture.until(fixture.hub.replace({ ...request.summary, status: { dependencies: "no dependencies" } }, { subresource: "status" }));
  const { outcome } = await fixture.collect(deployProfile(request, fixture.context, { signal: never }));
  assert.equal(outcome.status.dependencies, "no dependencies");
  assert.equal(outcome.settled, true);
});

test("hooks have no owner: those that one profile left do not conflict with another", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1"), h: jobYaml("pre", { "helm.sh/hook": "pre-install" }) }));
  await fixture.deploy(policyRefsYaml("s"), { name: "one" });
  await fixture.withdraw(policyRefsYaml("s"), { name: "one" });
  assert.notEqual(await fixture.find("Job/default/pre"), undefined);
  assert.equal((await fixture.deploy(policyRefsYaml("s"), { name: "two" })).failure, undefined);
});

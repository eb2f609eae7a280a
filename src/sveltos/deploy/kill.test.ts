import assert from "node:assert/strict";
import { test } from "node:test";
import { deploy, Superseded } from "./index.ts";
import { content, job, refs, source } from "../../../test/support/addon-content.ts";
import { Lab, never } from "../../../test/support/deploy/lab.ts";

const killed = new Error("killed");

/** Does `work` again and again, killed after its n-th write the first time, until it is through. */
async function killedAfter(lab: Lab, count: number, work: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
  const kill = new AbortController();
  let left = count;
  lab.afterWrite = () => void (--left === 0 && kill.abort(killed));
  const ended = await work(kill.signal).then(
    () => true,
    (error: unknown) => (kill.signal.aborted ? false : Promise.reject(error)),
  );
  lab.afterWrite = () => undefined;
  if (!ended) await work(never);
  return kill.signal.aborted;
}

const hooks = job("pre", { "helm.sh/hook": "pre-install" }) + "\n---\n" + job("gone", { "helm.sh/hook": "post-delete" });
const first = source("s", { a: content("a=1 b=1", {}, "new"), c: content("c=1", { "werf.io/weight": "5" }), h: hooks });
const second = source("s", { a: content("a=2", {}, "new"), h: hooks });

async function story(count: number): Promise<boolean> {
  const lab = await Lab.open();
  await lab.apply(first);
  let wasKilled = await killedAfter(lab, count, (signal) => lab.deploy(refs("s"), { signal }));
  assert.equal(`${await lab.configMaps("new")} ${await lab.configMaps()}`, "a=1 b=1 c=1");
  await lab.apply(second);
  wasKilled = (await killedAfter(lab, count, (signal) => lab.deploy(refs("s"), { signal }))) || wasKilled;
  assert.equal(`${await lab.configMaps("new")} ${await lab.configMaps()}`, "a=2 ");
  const summary = await lab.summary(refs("s"));
  const release = (summary["status"] as { releases: { revision: number; state: string }[] }).releases[0];
  assert.deepEqual([release?.revision, release?.state], [2, "deployed"]);
  wasKilled = (await killedAfter(lab, count, (signal) => lab.withdraw(refs("s"), { signal }))) || wasKilled;
  assert.equal(`${await lab.configMaps("new")} ${await lab.configMaps()}`, " ");
  assert.notEqual(await lab.find("Job/default/gone"), undefined, "the hook of the deletion ran");
  return wasKilled;
}

test("killed after any write, the next call carries on", async () => {
  let count = 1;
  while (await story(count)) count++;
  assert.ok(count > 8, `there were ${count} writes`);
});

test("whoever works on what is no longer wanted is told to stop", async () => {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("a=1") }));
  const request = await lab.request(refs("s"));
  await lab.summary(`tier: 7\n${refs("s")}`);
  await assert.rejects(lab.told(deploy(request, lab.site, { signal: never })), Superseded);
  assert.equal(await lab.configMaps(), "", "the first thing is to write down what begins");
});

test("a withdrawal that was broken off is taken back by deploying again, as an install", async () => {
  const lab = await Lab.open();
  await lab.apply(first);
  await lab.deploy(refs("s"));
  const kill = new AbortController();
  let left = 3;
  lab.afterWrite = () => void (--left === 0 && kill.abort(killed));
  await lab.withdraw(refs("s"), { signal: kill.signal }).catch(() => undefined);
  lab.afterWrite = () => undefined;
  const { outcome } = await lab.deploy(refs("s"));
  assert.equal(outcome.settled, true);
  assert.equal(`${await lab.configMaps("new")} ${await lab.configMaps()}`, "a=1 b=1 c=1");
  assert.equal(outcome.status.releases?.[0]?.revision, 1);
});

test("what others write of a ClusterSummary meanwhile is kept", async () => {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("a=1") }));
  const request = await lab.request(refs("s"));
  await lab.until(lab.hub.replace({ ...request.summary, status: { dependencies: "no dependencies" } }, { subresource: "status" }));
  const { outcome } = await lab.told(deploy(request, lab.site, { signal: never }));
  assert.equal(outcome.status.dependencies, "no dependencies");
  assert.equal(outcome.settled, true);
});

test("hooks are nobody's: those that one profile left stand in no other's way", async () => {
  const lab = await Lab.open();
  await lab.apply(source("s", { a: content("a=1"), h: job("pre", { "helm.sh/hook": "pre-install" }) }));
  await lab.deploy(refs("s"), { name: "one" });
  await lab.withdraw(refs("s"), { name: "one" });
  assert.notEqual(await lab.find("Job/default/pre"), undefined);
  assert.equal((await lab.deploy(refs("s"), { name: "two" })).failure, undefined);
});

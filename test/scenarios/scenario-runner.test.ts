import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { makeConfigMap, makeJob } from "./objects.ts";
import { embeddedUnderTest, ScenarioRunner, type KillPoint, type ActResult, type ReleaseScenario } from "./index.ts";

const hook = { "helm.sh/hook": "pre-install,pre-upgrade" };
const first = {
  do: "deploy",
  manifests: [makeJob("h", hook), makeConfigMap("a", {}, { v: "1" }), makeJob("task", { "werf.io/weight": "1" })],
} as const;
const other = { do: "deploy", manifests: [makeJob("h", hook), makeConfigMap("a", {}, { v: "2" })] } as const;
const scenario: ReleaseScenario = { name: "a killed deploy", acts: [first, other] };

async function opened(t: TestContext): Promise<ScenarioRunner> {
  const underTest = embeddedUnderTest();
  const runner = await ScenarioRunner.start(scenario, underTest);
  t.after(() => {
    runner.close();
    underTest.close();
  });
  return runner;
}

const leases = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

test("a killed process does nothing more: the Lease stays, and the revision is pending", async (t) => {
  const runner = await opened(t);
  const result = await runner.run(first, { killAt: { steps: 4 } });
  assert.equal(result.killed, true);
  assert.deepEqual(await runner.records(), ["1 pending-install"]);
  const { items } = await runner.thirdParty.cluster.list(leases, { namespace: runner.namespace });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["sluice.release.app"],
  );
  assert.ok(!runner.live().has("job/task"), "nothing was applied afterwards");
});

test("run again it continues the revision, repeats no hook and has the same outcome", async (t) => {
  const undisturbed = await opened(t);
  const whole = await undisturbed.run(first);
  assert.equal(whole.killed, false);
  const expected = await undisturbed.snapshot();
  assert.deepEqual(expected.records, ["app 1 deployed", "app 1 pre-install,pre-upgrade job/h Succeeded"]);
  assert.ok("scenario/configmap/a" in expected.objects);

  const runner = await opened(t);
  await runner.run(first, { killAt: { steps: 4 } });
  await runner.run(first);
  assert.equal(runner.seen(first).filter((text) => text === "job/h created").length, 1);
  assert.deepEqual(await runner.records(), ["1 deployed"]);
  assert.deepEqual(await runner.snapshot(), expected);
});

test("after a write without a response it continues from what the cluster has", async (t) => {
  const runner = await opened(t);
  const { writes } = await (await opened(t)).run(first);
  assert.ok(writes > 5);
  const result = await runner.run(first, { killAt: { writes: writes - 2 } });
  assert.equal(result.killed, true);
  await runner.run(first, { hasDied: () => true });
  assert.deepEqual(await runner.records(), ["1 deployed"]);
});

test("with another manifest the killed revision is abandoned, and all hooks run again", async (t) => {
  const runner = await opened(t);
  await runner.run(first, { killAt: { steps: 4 } });
  const result = await runner.run(other, { hasDied: () => true });
  assert.equal(result.refusal, undefined);
  assert.deepEqual(await runner.records(), ["1 failed", "2 deployed"]);
  assert.ok(runner.seen(other).includes("job/h created"));
});

test("of two deploys of one release the second waits for the first", async (t) => {
  const runner = await opened(t);
  const plays = await Promise.all([runner.run(first), runner.run(other)]);
  const ends = plays.map(({ progress }) => progress.at(-1));
  assert.deepEqual(
    ends.map((end) => end?.type === "done" && end.status),
    ["deployed", "deployed"],
  );
  assert.ok(plays.some(({ progress }) => progress.some((event) => event.type === "waiting" && event.id === "lease")));
  assert.deepEqual((await runner.records()).toSorted(), ["1 superseded", "2 deployed"]);
});

test("a kill between two records leaves them to the next deploy, which repairs them without a revision", async (t) => {
  const { writes } = await secondDeploy(await opened(t));
  // Of the last three writes one supersedes the old revision and one releases the Lease.
  const runner = await opened(t);
  await secondDeploy(runner, { writes: writes - 2 });
  assert.deepEqual(await runner.records(), ["1 deployed", "2 deployed"]);
  const { progress } = await runner.run(other, { hasDied: () => true });
  const end = progress.at(-1);
  assert.equal(end?.type === "done" && end.status, "unchanged");
  assert.deepEqual(await runner.records(), ["1 superseded", "2 deployed"]);
});

test("a kill before pruning leaves old revisions to the next deploy too", async (t) => {
  const few = { ...other, options: { historyMax: 1 } } as const;
  const runner = await opened(t);
  await runner.run(first);
  const { writes } = await runner.run(few);
  assert.deepEqual(await runner.records(), ["2 deployed"]);
  const killed = await opened(t);
  await killed.run(first);
  // The last two writes prune the old revision and release the Lease.
  await killed.run(few, { killAt: { writes: writes - 2 } });
  assert.deepEqual(await killed.records(), ["1 superseded", "2 deployed"]);
  await killed.run(few, { hasDied: () => true });
  assert.deepEqual(await killed.records(), ["2 deployed"]);
});

async function secondDeploy(runner: ScenarioRunner, killAt?: KillPoint): Promise<ActResult> {
  await runner.run(first);
  return runner.run(other, killAt === undefined ? {} : { killAt });
}

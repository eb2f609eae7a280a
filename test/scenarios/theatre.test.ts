import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { configMap, job } from "./objects.ts";
import { embedded, Theatre, type Death, type Played, type Scenario } from "./index.ts";

const hook = { "helm.sh/hook": "pre-install,pre-upgrade" };
const first = {
  do: "deploy",
  manifests: [job("h", hook), configMap("a", {}, { v: "1" }), job("task", { "werf.io/weight": "1" })],
} as const;
const other = { do: "deploy", manifests: [job("h", hook), configMap("a", {}, { v: "2" })] } as const;
const scenario: Scenario = { name: "a killed deploy", acts: [first, other] };

async function opened(t: TestContext): Promise<Theatre> {
  const ground = embedded();
  const theatre = await Theatre.open(scenario, ground);
  t.after(() => {
    theatre.close();
    ground.leave();
  });
  return theatre;
}

const leases = { group: "coordination.k8s.io", version: "v1", kind: "Lease" };

test("who is killed does nothing more: the Lease stays, and the revision is pending", async (t) => {
  const theatre = await opened(t);
  const played = await theatre.play(first, { death: { steps: 4 } });
  assert.equal(played.died, true);
  assert.deepEqual(await theatre.records(), ["1 pending-install"]);
  const { items } = await theatre.hands.cluster.list(leases, { namespace: theatre.namespace });
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ["sluice.release.app"],
  );
  assert.ok(!theatre.live().has("job/task"), "nothing was applied afterwards");
});

test("played again it carries on under its number, runs no hook twice and comes to the same end", async (t) => {
  const undisturbed = await opened(t);
  const whole = await undisturbed.play(first);
  assert.equal(whole.died, false);
  const expected = await undisturbed.photograph();
  assert.deepEqual(expected.records, ["app 1 deployed", "app 1 pre-install,pre-upgrade job/h Succeeded"]);
  assert.ok("scene/configmap/a" in expected.objects);

  const theatre = await opened(t);
  await theatre.play(first, { death: { steps: 4 } });
  await theatre.play(first);
  assert.equal(theatre.seen(first).filter((text) => text === "job/h created").length, 1);
  assert.deepEqual(await theatre.records(), ["1 deployed"]);
  assert.deepEqual(await theatre.photograph(), expected);
});

test("whose last write was carried out without an answer carries on from what the cluster has", async (t) => {
  const theatre = await opened(t);
  const { writes } = await (await opened(t)).play(first);
  assert.ok(writes > 5);
  const played = await theatre.play(first, { death: { writes: writes - 2 } });
  assert.equal(played.died, true);
  await theatre.play(first, { hasDied: () => true });
  assert.deepEqual(await theatre.records(), ["1 deployed"]);
});

test("with another manifest the killed revision is given up, and all hooks run again", async (t) => {
  const theatre = await opened(t);
  await theatre.play(first, { death: { steps: 4 } });
  const played = await theatre.play(other, { hasDied: () => true });
  assert.equal(played.refusal, undefined);
  assert.deepEqual(await theatre.records(), ["1 failed", "2 deployed"]);
  assert.ok(theatre.seen(other).includes("job/h created"));
});

test("of two deploys of one release the second waits for the first", async (t) => {
  const theatre = await opened(t);
  const plays = await Promise.all([theatre.play(first), theatre.play(other)]);
  const ends = plays.map(({ story }) => story.at(-1));
  assert.deepEqual(
    ends.map((end) => end?.type === "done" && end.status),
    ["deployed", "deployed"],
  );
  assert.ok(plays.some(({ story }) => story.some((event) => event.type === "waiting" && event.id === "lease")));
  assert.deepEqual((await theatre.records()).toSorted(), ["1 superseded", "2 deployed"]);
});

test("who dies between two records leaves them to the next deploy, which puts them in order without a revision", async (t) => {
  const { writes } = await secondDeploy(await opened(t));
  // Of the last three writes one supersedes the old revision and one lets go of the Lease.
  const theatre = await opened(t);
  await secondDeploy(theatre, { writes: writes - 2 });
  assert.deepEqual(await theatre.records(), ["1 deployed", "2 deployed"]);
  const { story } = await theatre.play(other, { hasDied: () => true });
  const end = story.at(-1);
  assert.equal(end?.type === "done" && end.status, "unchanged");
  assert.deepEqual(await theatre.records(), ["1 superseded", "2 deployed"]);
});

test("who dies before old revisions are removed leaves them to the next deploy too", async (t) => {
  const few = { ...other, options: { historyMax: 1 } } as const;
  const theatre = await opened(t);
  await theatre.play(first);
  const { writes } = await theatre.play(few);
  assert.deepEqual(await theatre.records(), ["2 deployed"]);
  const killed = await opened(t);
  await killed.play(first);
  // The last two writes remove the old revision and let go of the Lease.
  await killed.play(few, { death: { writes: writes - 2 } });
  assert.deepEqual(await killed.records(), ["1 superseded", "2 deployed"]);
  await killed.play(few, { hasDied: () => true });
  assert.deepEqual(await killed.records(), ["2 deployed"]);
});

async function secondDeploy(theatre: Theatre, death?: Death): Promise<Played> {
  await theatre.play(first);
  return theatre.play(other, death === undefined ? {} : { death });
}

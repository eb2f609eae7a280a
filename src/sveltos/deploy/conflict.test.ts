import assert from "node:assert/strict";
import { test } from "node:test";
import { reset, type Outcome } from "./index.ts";
import { statusOf } from "./ledger.ts";
import { content, refs, source } from "../../../test/support/addon-content.ts";
import { Lab } from "../../../test/support/deploy/lab.ts";

/** Two profiles that both want ConfigMap `shared`. */
async function rivals(): Promise<Lab> {
  const lab = await Lab.open();
  await lab.apply(source("one", { a: content("shared=1 only-one=1") }));
  await lab.apply(source("two", { a: content("shared=2 only-two=2") }));
  assert.equal((await lab.deploy(refs("one"), { name: "one" })).failure, undefined);
  return lab;
}

/** What the profile's part of the ClusterConfiguration lists. */
function listed({ features }: Outcome): readonly string[] | undefined {
  return features?.flatMap(({ resources = [] }) => resources.map(({ name }) => name));
}

const objection =
  "Object ConfigMap:default/shared currently deployed because of ConfigMap default/one.\n Sveltos instance currently deploying this resource: ClusterProfile one;\n";

test("of equal tiers the one that has an object keeps it", async () => {
  const lab = await rivals();
  const { failure, outcome } = await lab.deploy(refs("two"), { name: "two" });
  assert.equal(failure, objection);
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Failed");
  assert.equal(await lab.configMaps(), "only-one=1 shared=1");
  assert.deepEqual(listed(outcome), []);
  assert.equal(outcome.status.deployedGVKs, undefined);
});

test("continueOnConflict deploys the rest, and fails all the same", async () => {
  const lab = await rivals();
  const { failure, outcome } = await lab.deploy(`continueOnConflict: true\n${refs("two")}`, { name: "two" });
  assert.equal(failure, objection);
  assert.equal(await lab.configMaps(), "only-one=1 only-two=2 shared=1");
  assert.deepEqual(listed(outcome), ["only-two"]);
  assert.deepEqual(outcome.status.deployedGVKs, [{ featureID: "Resources", deployedGroupVersionKind: ["ConfigMap.v1."] }]);
});

test("a lower tier takes over, and the loser loses nothing else", async () => {
  const lab = await rivals();
  const winner = await lab.deploy(`tier: 50\n${refs("two")}`, { name: "two" });
  assert.equal(winner.failure, undefined);
  assert.deepEqual(winner.outcome.displaced, [{ kind: "ClusterProfile", namespace: "", name: "one" }]);
  assert.equal(await lab.configMaps(), "only-one=1 only-two=2 shared=2");
  await lab.apply(source("one", { a: content("shared=3 only-one=3") }));
  assert.match((await lab.deploy(refs("one"), { name: "one" })).failure ?? "", /ClusterProfile two;/);
  assert.equal(await lab.configMaps(), "only-one=1 only-two=2 shared=2", "a deploy that fails removes nothing");
  await lab.apply(source("one", { a: content("only-one=3") }));
  assert.equal((await lab.deploy(refs("one"), { name: "one" })).failure, undefined);
  assert.equal(await lab.configMaps(), "only-one=3 only-two=2 shared=2", "what another profile has by now is not removed");
  await lab.withdraw(refs("one"), { name: "one" });
  assert.equal(await lab.configMaps(), "only-two=2 shared=2");
});

test("who lost an object hears of it when its status is reset", async () => {
  const lab = await rivals();
  await lab.deploy(`tier: 50\n${refs("two")}`, { name: "two" });
  assert.equal((await lab.deploy(refs("one"), { name: "one" })).failure, undefined, "nothing has changed for it");
  const summary = await lab.summary(refs("one"), "one");
  await lab.until(lab.hub.replace({ ...summary, status: reset(statusOf(summary)) }, { subresource: "status" }));
  const { failure, outcome } = await lab.deploy(refs("one"), { name: "one" });
  assert.match(failure ?? "", /ClusterProfile two;/);
  assert.equal(await lab.configMaps(), "only-one=1 only-two=2 shared=2");
  assert.deepEqual(listed(outcome), ["only-one"], "what it lost is not listed any more");
});

test("when the winner goes, the loser may have it", async () => {
  const lab = await rivals();
  await lab.deploy(refs("two"), { name: "two" });
  await lab.withdraw(refs("one"), { name: "one" });
  assert.equal((await lab.deploy(refs("two"), { name: "two" })).failure, undefined);
  assert.equal(await lab.configMaps(), "only-two=2 shared=2");
});

test("what nobody owns is adopted, whoever wrote its fields", async () => {
  const lab = await Lab.open();
  await lab.apply(content("a=9"), lab.managed);
  await lab.apply(source("s", { a: content("a=1") }));
  assert.equal((await lab.deploy(refs("s"))).failure, undefined);
  assert.equal(await lab.configMaps(), "a=1");
});

test("of two references of one profile the lower tier has an object; equal ones are in conflict", async () => {
  const lab = await Lab.open();
  await lab.apply(source("left", { a: content("a=1") }));
  await lab.apply(source("right", { a: content("a=2") }));
  const { failure } = await lab.deploy(refs("left", "right"));
  assert.equal(failure, "Object ConfigMap:default/a currently deployed because of ConfigMap default/left.\n");
  const tiers =
    "policyRefs: [{kind: ConfigMap, namespace: default, name: left}, {kind: ConfigMap, namespace: default, name: right, tier: 50}]";
  assert.equal((await lab.deploy(tiers)).failure, undefined);
  assert.equal(await lab.configMaps(), "a=2");
  assert.equal((await lab.deploy(refs("left"))).failure, undefined, "one reference hands an object on to another");
  assert.equal(await lab.configMaps(), "a=1");
});

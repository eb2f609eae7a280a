import assert from "node:assert/strict";
import { test } from "node:test";
import { resetFeatures, type AddonOutcome } from "./index.ts";
import { summaryStatusOf } from "./summary-status-store.ts";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture } from "../../../test/support/deploy/deploy-fixture.ts";

/** Two profiles that both want ConfigMap `shared`. */
async function rivals(): Promise<DeployFixture> {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("shared=1 only-one=1") }));
  await fixture.apply(sourceYaml("two", { a: configMapsYaml("shared=2 only-two=2") }));
  assert.equal((await fixture.deploy(policyRefsYaml("one"), { name: "one" })).failure, undefined);
  return fixture;
}

/** What the profile's part of the ClusterConfiguration lists. */
function listed({ features }: AddonOutcome): readonly string[] | undefined {
  return features?.flatMap(({ resources = [] }) => resources.map(({ name }) => name));
}

const objection =
  "Object ConfigMap:default/shared currently deployed because of ConfigMap default/one.\n Sveltos instance currently deploying this resource: ClusterProfile one;\n";

test("with equal tiers the owner of an object keeps it", async () => {
  const fixture = await rivals();
  const { failure, outcome } = await fixture.deploy(policyRefsYaml("two"), { name: "two" });
  assert.equal(failure, objection);
  assert.equal(outcome.status.featureSummaries?.[0]?.status, "Failed");
  assert.equal(await fixture.configMaps(), "only-one=1 shared=1");
  assert.deepEqual(listed(outcome), []);
  assert.equal(outcome.status.deployedGVKs, undefined);
});

test("continueOnConflict deploys the rest, and fails nevertheless", async () => {
  const fixture = await rivals();
  const { failure, outcome } = await fixture.deploy(`continueOnConflict: true\n${policyRefsYaml("two")}`, { name: "two" });
  assert.equal(failure, objection);
  assert.equal(await fixture.configMaps(), "only-one=1 only-two=2 shared=1");
  assert.deepEqual(listed(outcome), ["only-two"]);
  assert.deepEqual(outcome.status.deployedGVKs, [{ featureID: "Resources", deployedGroupVersionKind: ["ConfigMap.v1."] }]);
});

test("a lower tier takes an object over, and the other profile loses nothing else", async () => {
  const fixture = await rivals();
  const winner = await fixture.deploy(`tier: 50\n${policyRefsYaml("two")}`, { name: "two" });
  assert.equal(winner.failure, undefined);
  assert.deepEqual(winner.outcome.displaced, [{ kind: "ClusterProfile", namespace: "", name: "one" }]);
  assert.equal(await fixture.configMaps(), "only-one=1 only-two=2 shared=2");
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("shared=3 only-one=3") }));
  assert.match((await fixture.deploy(policyRefsYaml("one"), { name: "one" })).failure ?? "", /ClusterProfile two;/);
  assert.equal(await fixture.configMaps(), "only-one=1 only-two=2 shared=2", "a deploy that fails removes nothing");
  await fixture.apply(sourceYaml("one", { a: configMapsYaml("only-one=3") }));
  assert.equal((await fixture.deploy(policyRefsYaml("one"), { name: "one" })).failure, undefined);
  assert.equal(await fixture.configMaps(), "only-one=3 only-two=2 shared=2", "what another profile has by now is not removed");
  await fixture.withdraw(policyRefsYaml("one"), { name: "one" });
  assert.equal(await fixture.configMaps(), "only-two=2 shared=2");
});

test("a profile that lost an object reports the conflict after its status is reset", async () => {
  const fixture = await rivals();
  await fixture.deploy(`tier: 50\n${policyRefsYaml("two")}`, { name: "two" });
  assert.equal((await fixture.deploy(policyRefsYaml("one"), { name: "one" })).failure, undefined, "nothing has changed for it");
  const summary = await fixture.summary(policyRefsYaml("one"), "one");
  await fixture.until(fixture.hub.replace({ ...summary, status: resetFeatures(summaryStatusOf(summary)) }, { subresource: "status" }));
  const { failure, outcome } = await fixture.deploy(policyRefsYaml("one"), { name: "one" });
  assert.match(failure ?? "", /ClusterProfile two;/);
  assert.equal(await fixture.configMaps(), "only-one=1 only-two=2 shared=2");
  assert.deepEqual(listed(outcome), ["only-one"], "what it lost is not listed any more");
});

test("an object is taken over when its owner is withdrawn", async () => {
  const fixture = await rivals();
  await fixture.deploy(policyRefsYaml("two"), { name: "two" });
  await fixture.withdraw(policyRefsYaml("one"), { name: "one" });
  assert.equal((await fixture.deploy(policyRefsYaml("two"), { name: "two" })).failure, undefined);
  assert.equal(await fixture.configMaps(), "only-two=2 shared=2");
});

test("an object without an owner is adopted, whatever its field managers", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(configMapsYaml("a=9"), fixture.managed);
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=1");
});

test("of two references of one profile the lower tier has an object; equal tiers are a conflict", async () => {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("left", { a: configMapsYaml("a=1") }));
  await fixture.apply(sourceYaml("right", { a: configMapsYaml("a=2") }));
  await fixture.apply(sourceYaml("third", { a: configMapsYaml("a=3") }));
  await fixture.apply(sourceYaml("rest", { a: configMapsYaml("b=1") }));
  const { failure, outcome } = await fixture.deploy(policyRefsYaml("left", "right", "rest"));
  const both =
    "Object ConfigMap:default/a is in two references of this profile, ConfigMap default/left and ConfigMap default/right, both of tier 100: take it out of one of them, or give one a lower tier.";
  assert.equal(failure, `${both} The profile deploys nothing until then.\n`);
  assert.deepEqual([await fixture.configMaps(), listed(outcome), outcome.status.deployedGVKs], ["", [], undefined]);
  const continued = await fixture.deploy(`continueOnConflict: true\n${policyRefsYaml("left", "right", "rest")}`);
  assert.equal(continued.failure, `${both} It is deployed from ConfigMap default/left.\n`);
  assert.deepEqual([await fixture.configMaps(), listed(continued.outcome)], ["a=1 b=1", ["a", "b"]]);
  const tiers =
    "policyRefs: [{kind: ConfigMap, namespace: default, name: left}, {kind: ConfigMap, namespace: default, name: right, tier: 50}]";
  assert.equal((await fixture.deploy(tiers)).failure, undefined);
  assert.equal(await fixture.configMaps(), "a=2");
  assert.equal((await fixture.deploy(tiers.replace("[", "[{kind: ConfigMap, namespace: default, name: third}, "))).failure, undefined);
  assert.equal((await fixture.deploy(policyRefsYaml("left", "left"))).failure, undefined, "one reference twice is one");
  assert.equal((await fixture.deploy(policyRefsYaml("left"))).failure, undefined, "one reference hands an object on to another");
  assert.equal(await fixture.configMaps(), "a=1");
});

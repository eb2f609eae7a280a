import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { configMapsYaml, sourceYaml } from "../../../../test/support/addon-content.ts";
import { ControllerReplica, stopReplicas } from "../../../../test/support/controller-replica.ts";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { configMapRef, sveltosRef } from "../../../../test/support/sveltos-objects.ts";
import { charts, profileYaml as wishYaml } from "../../../../test/support/ownership/wish.ts";
import { listAt, stringAt } from "../../../core/object/index.ts";

const ownerName = "projectsveltos.io/owner-name";

const profileYaml = (name: string, more = "") => `
apiVersion: config.projectsveltos.io/v1beta1
kind: ClusterProfile
metadata: {name: ${name}}
spec:
  clusterSelector: {matchLabels: {env: fv}}
  policyRefs: [{kind: ConfigMap, namespace: default, name: content}]
  ${more}
`;

const summaryRef = (name: string) => sveltosRef("ClusterSummary", `${name}-sveltos-c1`, "mgmt");

/** A fleet on which profile `one` has deployed ConfigMap `shared`, with no controller running. */
async function deployed(t: TestContext, ...others: readonly string[]) {
  const fleet = await EmbeddedFleet.open();
  t.after(() => fleet.close());
  await fleet.apply(sourceYaml("content", { a: configMapsYaml("shared=1") }));
  const run = async () => {
    const replica = new ControllerReplica(fleet, `replica ${fleet.clock.now()}`);
    await fleet.advance(10_000);
    await stopReplicas(fleet, replica);
  };
  await fleet.apply(profileYaml("one"));
  await run();
  for (const other of others) await fleet.apply(other);
  if (others.length > 0) await run();
  return {
    fleet,
    run,
    owner: async () => (await fleet.get(configMapRef("shared"), fleet.managed("c1")))?.metadata.annotations?.[ownerName],
    mark: (name: string) =>
      fleet.until(
        fleet.managed("c1").patch(configMapRef("shared"), { type: "merge", patch: { metadata: { annotations: { [ownerName]: name } } } }),
      ),
    async state(name: string) {
      const [feature] = listAt(await fleet.get(summaryRef(name)), "status.featureSummaries");
      return stringAt(feature, "failureMessage") ?? stringAt(feature, "status");
    },
  };
}

test("an object whose marks name a profile that does not exist is its deployer's again", async (t) => {
  const { run, mark, owner, state } = await deployed(t);
  await mark("ghost");
  await run();
  assert.deepEqual([await owner(), await state("one")], ["one", "Provisioned"]);
});

test("of two profiles that an older version has left Provisioned with one object, the one without it says so", async (t) => {
  const { fleet, run, owner, state } = await deployed(t, profileYaml("two"));
  assert.match((await state("two")) ?? "", /ClusterProfile one;/);
  const [one, two] = [await fleet.get(summaryRef("one")), await fleet.get(summaryRef("two"))];
  await fleet.until(fleet.hub.replace({ ...two!, status: one!["status"] }, { subresource: "status" }));
  assert.equal(await state("two"), "Provisioned");
  await run();
  assert.match((await state("two")) ?? "", /ClusterProfile one;/);
  assert.deepEqual([await owner(), await state("one")], ["one", "Provisioned"]);
});

test("of two such profiles the one with the object keeps it when the other is deleted", async (t) => {
  const { fleet, run, owner, mark, state } = await deployed(t, profileYaml("two"));
  const [one, two] = [await fleet.get(summaryRef("one")), await fleet.get(summaryRef("two"))];
  await fleet.until(fleet.hub.replace({ ...two!, status: one!["status"] }, { subresource: "status" }));
  await mark("two");
  const before = await fleet.get(configMapRef("shared"), fleet.managed("c1"));
  await fleet.until(fleet.hub.delete(sveltosRef("ClusterProfile", "two")));
  await run();
  assert.deepEqual([await owner(), await state("one")], ["one", "Provisioned"]);
  assert.equal((await fleet.get(configMapRef("shared"), fleet.managed("c1")))?.metadata.uid, before?.metadata.uid);
});

test("a profile in DryRun keeps what it has deployed, and a lower tier takes it all the same", async (t) => {
  const { fleet, run, owner, state } = await deployed(t, profileYaml("two"));
  await fleet.apply(profileYaml("one", "syncMode: DryRun"));
  await run();
  assert.equal(await owner(), "one");
  assert.match((await state("two")) ?? "", /ClusterProfile one;/);
  await fleet.apply(profileYaml("two", "tier: 50"));
  await run();
  assert.deepEqual([await owner(), await state("two")], ["two", "Provisioned"]);
});

test("what LeavePolicies leaves is the next one's, whatever the tier", async (t) => {
  const { fleet, run, owner, state } = await deployed(t, profileYaml("two", "tier: 200"));
  await fleet.apply(profileYaml("one", "stopMatchingBehavior: LeavePolicies"));
  await run();
  await fleet.until(fleet.hub.delete(sveltosRef("ClusterProfile", "one")));
  await run();
  assert.deepEqual([await owner(), await state("two")], ["two", "Provisioned"]);
});

test("OneTime: a profile that has lost an object says so, and has it again when the winner goes", async (t) => {
  const { fleet, run, owner, state } = await deployed(t);
  await fleet.apply(profileYaml("one", "syncMode: OneTime"));
  await run();
  await fleet.apply(profileYaml("two", "tier: 50"));
  await run();
  assert.deepEqual([await owner(), await state("two")], ["two", "Provisioned"]);
  assert.match((await state("one")) ?? "", /ClusterProfile two;/);
  await fleet.until(fleet.hub.delete(sveltosRef("ClusterProfile", "two")));
  await run();
  assert.deepEqual([await owner(), await state("one")], ["one", "Provisioned"]);
});

test("two profiles of which each has what the other one wants do not wake each other for ever", async (t) => {
  const fleet = await EmbeddedFleet.open();
  t.after(() => fleet.close());
  const replica = new ControllerReplica(fleet, "replica", { charts });
  const wish = { syncMode: "Continuous", leaves: false, objects: [0] } as const;
  await fleet.apply(wishYaml({ ...wish, name: "one", change: 1, tier: 200, release: true }));
  await fleet.advance(10_000);
  await fleet.apply(wishYaml({ ...wish, name: "two", change: 2, tier: 100, release: false }));
  await fleet.advance(10_000);
  let count = 0;
  fleet.afterWrite = (line) => {
    if (line.includes("/clustersummaries/")) assert.ok(++count < 200, "each failure is followed by another one at once");
  };
  await fleet.apply(wishYaml({ ...wish, name: "two", change: 3, tier: 200, release: true }));
  await fleet.advance(60_000);
  const featuresOf = async (name: string) =>
    listAt(await fleet.get(summaryRef(name)), "status.featureSummaries").map((feature) =>
      [stringAt(feature, "featureID"), stringAt(feature, "status")].join(" "),
    );
  assert.deepEqual((await featuresOf("one")).toSorted(), ["Helm Provisioned", "Resources Failed"]);
  assert.deepEqual((await featuresOf("two")).toSorted(), ["Helm FailedNonRetriable", "Resources Provisioned"]);
  await stopReplicas(fleet, replica);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCluster, viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { applyAsUser, onFvClusters, profileContent, profileObject } from "../../../test/support/profile/profile-fixture.ts";
import { runProfileController, runSummaryController } from "../../sveltos/controllers/index.ts";
import type { FleetReasonItem, ProfileClusterItem, ProfileContentItem, ProfileDependencyItem, ProfileHeadItem } from "../api/index.ts";

const view = { type: "profile", context: "hub", kind: "ClusterProfile", namespace: "", name: "demo" } as const;

/** `c1 ready updated`, for each cluster. */
function clusters(shown: ViewUnderTest): readonly string[] {
  return [...shown.items<ProfileClusterItem>("cluster").values()].map(({ name, state, phase }) => `${name} ${state} ${phase}`).toSorted();
}

function headOf(shown: ViewUnderTest): ProfileHeadItem | undefined {
  return [...shown.items<ProfileHeadItem>("head").values()][0];
}

test("a profile is rolled out a few clusters at a time, and fails in all for one reason", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" }, c3: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  const shown = viewOf(view, { clock: fixture.clock, cluster: fixture.hub });
  t.after(shown.end);
  await fixture.advance(1000);
  assert.deepEqual(
    shown.live.notices.map(({ text }) => text),
    ["There is no ClusterProfile demo."],
  );

  await fixture.apply(profileContent);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, maxUpdate: "34%" }));
  await fixture.advance(60_000);
  assert.deepEqual(shown.live.notices, []);
  assert.deepEqual(clusters(shown), ["c1 ready updated", "c2 ready updated", "c3 ready updated"]);
  const { limit, maxUpdate, selector, syncMode } = headOf(shown)!;
  assert.deepEqual({ limit, maxUpdate, selector, syncMode }, { limit: 2, maxUpdate: "34%", selector: "env=fv", syncMode: "Continuous" });

  const missing = { policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "missing" }] };
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, ...missing, maxUpdate: 1 }));
  await fixture.advance(60_000);
  assert.deepEqual(clusters(shown), ["c1 failed updating", "c2 ready pending", "c3 ready pending"]);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, ...missing, maxUpdate: 3 }));
  await fixture.advance(60_000);
  assert.deepEqual(clusters(shown), ["c1 failed updating", "c2 failed updating", "c3 failed updating"]);
  const reasons = [...shown.items<FleetReasonItem>("reason").values()];
  assert.equal(reasons.length, 1);
  assert.match(reasons[0]!.text, /missing/);
  assert.deepEqual(
    [...shown.items<ProfileContentItem>("content").values()].map(({ feature, title }) => `${feature} ${title}`),
    ["Resources ConfigMap default/missing"],
  );
});

test("a profile names those before and after it, whether they are there or not", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: {} });
  t.after(() => fixture.close());
  const shown = viewOf(view, { clock: fixture.clock, cluster: fixture.hub });
  t.after(shown.end);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, dependsOn: ["base", "gone"] }));
  await applyAsUser(fixture, profileObject("base", onFvClusters));
  await applyAsUser(fixture, profileObject("late", { ...onFvClusters, dependsOn: ["demo"] }));
  await fixture.advance(1000);
  const dependencies = [...shown.items<ProfileDependencyItem>("dependency").values()];
  assert.deepEqual(
    dependencies.map(({ direction, profile, exists }) => `${direction} ${profile.name} ${exists}`),
    ["needs base true", "needs gone false", "neededBy late true"],
  );
});

test("without Sveltos' kinds there is no profile", async (t) => {
  const at = openTestCluster();
  const shown = viewOf(view, at);
  t.after(shown.end);
  await at.clock.advance(1000);
  assert.match(shown.live.notices.map(({ text }) => text).join(), /There is no ClusterProfile demo/);
});

test("a profile that may not be read is not said to be missing, nor are ClusterSummaries", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  await fixture.apply(profileContent);
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(5000);
  for (const [hidden, notice, found] of [
    [/clusterprofiles/, /^You may not read ClusterProfile: /, ["c1 ready updated"]],
    [/clustersummaries/, /^You may not read ClusterSummary: /, []],
  ] as const) {
    fixture.forbids = (cluster, path) => cluster === "hub" && hidden.test(path);
    const shown = viewOf(view, { clock: fixture.clock, cluster: fixture.hub });
    t.after(shown.end);
    await fixture.advance(2000);
    assert.match(shown.live.notices.map(({ text }) => text).join("\n"), notice);
    assert.equal(shown.live.notices.length, 1);
    assert.deepEqual(clusters(shown), found);
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCluster, viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { largeFleetObjects } from "../../../test/support/dashboard/large-fleet.ts";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { applyAsUser, deleteAsUser, onFvClusters, profileContent, profileObject } from "../../../test/support/profile/profile-fixture.ts";
import { VirtualClock } from "../../core/clock/index.ts";
import { startEmbeddedCluster } from "../../embedded/index.ts";
import { connect } from "../../kube/index.ts";
import { runProfileController, runSummaryController } from "../../sveltos/controllers/index.ts";
import { cellStateAt, type FleetClusterItem, type FleetProfileItem, type FleetRowItem } from "../api/index.ts";

function noticesOf({ live }: ViewUnderTest): readonly string[] {
  return live.notices.map(({ text }) => text);
}

/** `c1 demo=ready`, for each cell. */
function cells(view: ViewUnderTest): readonly string[] {
  const profiles = [...view.items<FleetProfileItem>("profile").values()];
  const clusters = new Map([...view.items<FleetClusterItem>("cluster").values()].map((item) => [item.key, item]));
  return [...view.items<FleetRowItem>("row").values()]
    .flatMap((row) => profiles.flatMap(({ name, column }) => ({ name, state: cellStateAt(row.cells, column), row })))
    .flatMap(({ name, state, row }) => (state === undefined ? [] : [`${clusters.get(row.key)?.name} ${name}=${state}`]))
    .toSorted();
}

test("a profile is deployed, fails and is withdrawn while somebody looks", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  const view = viewOf({ type: "fleet", context: "hub" }, { clock: fixture.clock, cluster: fixture.hub });
  t.after(view.end);
  await fixture.advance(1000);
  assert.deepEqual(
    [...view.items<FleetClusterItem>("cluster").values()].map(({ name, state, labels }) => [name, state, labels["env"]]),
    [
      ["c1", "ready", "fv"],
      ["c2", "ready", "fv"],
    ],
  );
  assert.deepEqual(cells(view), []);

  await fixture.apply(profileContent);
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(5000);
  assert.deepEqual(cells(view), ["c1 demo=ready", "c2 demo=ready"]);
  assert.deepEqual([...view.items<FleetProfileItem>("profile").values()][0]?.counts, { ready: 2 });

  await applyAsUser(
    fixture,
    profileObject("demo", { ...onFvClusters, policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "missing" }] }),
  );
  await fixture.advance(5000);
  assert.deepEqual(cells(view), ["c1 demo=failed", "c2 demo=failed"]);
  const reasons = view.live.items.flatMap(([key, item]) => (key.startsWith("reason/") ? [item as unknown as { text: string }] : []));
  assert.equal(reasons.length, 1, "both fail for one reason");
  assert.match(reasons[0]!.text, /missing/);

  await deleteAsUser(fixture, "ClusterProfile", "demo");
  await fixture.advance(60_000);
  assert.deepEqual(cells(view), []);
  assert.deepEqual([...view.items("profile")], []);
  assert.deepEqual(noticesOf(view), []);
});

test("what may not be read is said, and the rest is shown; it is there with the right to it", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  let isForbidden = true;
  fixture.forbids = (cluster, path) => isForbidden && cluster === "hub" && path.includes("/clusterprofiles");
  const view = viewOf({ type: "fleet", context: "hub" }, { clock: fixture.clock, cluster: fixture.hub });
  t.after(view.end);
  await fixture.advance(1000);
  assert.equal(view.items("cluster").size, 1);
  assert.match(noticesOf(view).join(), /^You may not read ClusterProfile: what they say is missing here\.$/);
  isForbidden = false;
  await fixture.advance(60_000);
  assert.deepEqual(noticesOf(view), []);
});

test("cells are shown while ClusterSummaries are being read, and what is missing is not said to be there or not", async (t) => {
  const clock = new VirtualClock();
  const { exchange, stop } = startEmbeddedCluster({ clock, objects: largeFleetObjects({ clusters: 30, profiles: 40 }) });
  t.after(stop);
  const last = Promise.withResolvers<void>();
  let pages = 0;
  const held: typeof exchange = async (request) => {
    if (request.path.includes("/clustersummaries?limit=500") && ++pages === 3) await last.promise;
    return exchange(request);
  };
  const view = viewOf({ type: "fleet", context: "hub" }, { clock, cluster: connect(held, { clock }) });
  t.after(view.end);
  await clock.advance(2000);
  assert.deepEqual(view.items("known").get("known"), { type: "known", cells: "reading" });
  assert.equal(view.items("cluster").size, 30);
  assert.equal(view.items("profile").size, 40);
  assert.equal(cells(view).length, 1000);
  assert.deepEqual(
    cells(view).filter((text) => text.endsWith("=waiting")),
    [],
  );
  last.resolve();
  await clock.advance(2000);
  assert.deepEqual(view.items("known").get("known"), { type: "known", cells: "read" });
  assert.equal(cells(view).length, 1200);
});

test("ClusterSummaries that may not be read are not said to be missing", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  await fixture.apply(profileContent);
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(5000);
  let isForbidden = true;
  fixture.forbids = (cluster, path) => isForbidden && cluster === "hub" && path.includes("/clustersummaries");
  const view = viewOf({ type: "fleet", context: "hub" }, { clock: fixture.clock, cluster: fixture.hub });
  t.after(view.end);
  await fixture.advance(1000);
  assert.deepEqual(view.items("known").get("known"), { type: "known", cells: "refused" });
  assert.deepEqual(cells(view), []);
  isForbidden = false;
  await fixture.advance(60_000);
  assert.deepEqual(cells(view), ["c1 demo=ready"]);
});

test("a cluster without Sveltos says so", async (t) => {
  const at = openTestCluster();
  const view = viewOf({ type: "fleet", context: "hub" }, at);
  t.after(view.end);
  await at.clock.advance(1000);
  assert.match(noticesOf(view).join(), /^this cluster does not serve Sveltos' kinds/);
});

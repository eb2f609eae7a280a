import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestCluster, viewOf, type ViewUnderTest } from "../../../test/support/dashboard/view-under-test.ts";
import { EmbeddedFleet } from "../../../test/support/embedded-fleet.ts";
import { eventAbout } from "../../../test/support/fleet-objects.ts";
import { applyAsUser, onFvClusters, profileObject } from "../../../test/support/profile/profile-fixture.ts";
import { gvkOf } from "../../sveltos/api/index.ts";
import { runProfileController, runSummaryController } from "../../sveltos/controllers/index.ts";
import type { OverviewFinding, OverviewFleet } from "../api/index.ts";

const view = { type: "overview", context: "hub" } as const;
const content = `
apiVersion: v1
kind: ConfigMap
metadata: {name: objects, namespace: default}
data: {all.yaml: "apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: deployed, namespace: default}\\n"}
`;

function fleetOf(shown: ViewUnderTest): OverviewFleet | undefined {
  return shown.items<OverviewFleet>("fleet").get("fleet");
}

function findingsOf(shown: ViewUnderTest): readonly string[] {
  return [...shown.items<OverviewFinding>("finding").values()]
    .map(({ severity, object, clusterCount }) => `${severity} ${object.kind} ${object.name} in ${clusterCount}`)
    .toSorted();
}

test("a fleet is counted, what fails for the same cause is one finding, and drift is told", async (t) => {
  const fleet = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fleet.close());
  await fleet.run(runProfileController, runSummaryController);
  await fleet.apply(content);
  await applyAsUser(fleet, profileObject("good", onFvClusters));
  const missing = { ...onFvClusters, policyRefs: [{ kind: "ConfigMap", namespace: "default", name: "missing" }] };
  await applyAsUser(fleet, profileObject("bad", missing));
  const shown = viewOf(view, { clock: fleet.clock, cluster: fleet.hub });
  t.after(shown.end);
  await fleet.advance(10_000);
  assert.deepEqual(fleetOf(shown), {
    type: "fleet",
    clusters: 2,
    down: 0,
    profiles: 2,
    triggers: 0,
    deployments: { ready: 2, failed: 2 },
    more: 0,
  });
  assert.deepEqual(findingsOf(shown), ["failing ClusterProfile bad in 2"]);

  const summaries = await fleet.list(gvkOf("ClusterSummary"));
  const own = summaries.filter(({ metadata }) => metadata.name.startsWith("good"));
  const lastTimestamp = new Date(fleet.clock.now()).toISOString();
  const message = "1 object was not as the profile wants, and put right";
  for (const summary of own)
    await fleet.until(
      fleet.hub.create(
        eventAbout(summary, `drift-${summary.metadata.name}`, { type: "Normal", reason: "DriftRepaired", message, lastTimestamp }),
      ),
    );
  await fleet.advance(1000);
  assert.deepEqual(findingsOf(shown), ["drift ClusterProfile good in 2", "failing ClusterProfile bad in 2"]);

  await fleet.apply(content.replace("name: objects", "name: missing").replace("name: deployed", "name: other"));
  await fleet.advance(120_000);
  assert.deepEqual(findingsOf(shown), ["drift ClusterProfile good in 2"]);
  assert.deepEqual(fleetOf(shown)?.deployments, { ready: 4 });
});

test("a cluster that manages no fleet shows none, and says nothing of it", async (t) => {
  const at = openTestCluster();
  const shown = viewOf(view, at);
  t.after(shown.end);
  await at.clock.advance(5000);
  assert.deepEqual([fleetOf(shown), shown.live.notices], [undefined, []]);
});

test("kinds that may not be read are told in one notice, and the rest is counted", async (t) => {
  const fleet = await EmbeddedFleet.open();
  t.after(() => fleet.close());
  fleet.forbids = (name, path) => name === "hub" && /\/(clustersummaries|eventsources)/.test(path);
  const shown = viewOf(view, { clock: fleet.clock, cluster: fleet.hub });
  t.after(shown.end);
  await fleet.advance(2000);
  assert.equal(fleetOf(shown)?.clusters, 1);
  assert.equal(shown.live.notices.length, 1);
  assert.match(
    shown.live.notices[0]?.text ?? "",
    /^You may not read (EventSource; ClusterSummary|ClusterSummary; EventSource): what they say is missing here/,
  );
});

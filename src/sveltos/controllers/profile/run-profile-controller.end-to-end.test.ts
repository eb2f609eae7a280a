import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet, fleetNamespace } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf } from "../../api/index.ts";
import { stringAt } from "../../../core/object/index.ts";
import { runSummaryController } from "../cluster-summary/index.ts";
import {
  clusterNamesAt,
  deleteCluster,
  summaryNames,
  onFvClusters,
  profileObject,
  deleteAsUser,
  summarySpecField,
  readConditions,
  readProfileStatus,
  applyAsUser,
} from "../../../../test/support/profile/profile-fixture.ts";
import { runProfileController } from "./index.ts";

const configMaps = { group: "", version: "v1", kind: "ConfigMap" };

function objects(color: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: objects, namespace: default}
data:
  all.yaml: |
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: deployed, namespace: default}
    data: {color: ${color}}
`;
}

test("with the ClusterSummary controller: content rolls out cluster by cluster, is withdrawn with its profile, and an unreachable cluster blocks no other", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  const color = async (cluster: string) =>
    stringAt(await fixture.get({ ...configMaps, namespace: "default", name: "deployed" }, fixture.managed(cluster)), "data.color");
  await fixture.apply(objects("red"));
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, maxUpdate: 1 }));
  await fixture.advance(5000);
  assert.deepEqual([await color("c1"), await color("c2")], ["red", "red"]);
  assert.deepEqual(await clusterNamesAt(fixture, "demo", "updatedClusters.clusters"), ["c1", "c2"]);

  fixture.written.length = 0;
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, maxUpdate: 1, tier: 50 }));
  await fixture.advance(5000);
  assert.deepEqual(
    [await summarySpecField(fixture, "demo-sveltos-c1", "tier"), await summarySpecField(fixture, "demo-sveltos-c2", "tier")],
    [50, 50],
  );
  assert.deepEqual(await clusterNamesAt(fixture, "demo", "updatedClusters.clusters"), ["c1", "c2"]);
  assert.equal((await readProfileStatus(fixture, "demo"))["failedClusters"], undefined);
  assert.ok(fixture.written.length < 24, `nobody undoes what another does: ${fixture.written.join("\n")}`);

  fixture.unreachable.add("c2");
  fixture.context.fleet.probeNow(`Sveltos/${fleetNamespace}/c2`);
  await fixture.advance(600_000);
  await deleteAsUser(fixture, "ClusterProfile", "demo");
  assert.equal(await color("c1"), undefined);
  assert.deepEqual(await summaryNames(fixture), ["-demo-sveltos-c2"], "it is withdrawn when it can be");
  await deleteCluster(fixture, "c2");
  assert.deepEqual(await summaryNames(fixture), []);
  assert.deepEqual(await fixture.list(gvkOf("ClusterProfile")), []);
  assert.deepEqual(await fixture.list(gvkOf("ClusterConfiguration")), []);
});

test("with the ClusterSummary controller: a withdrawal that a finalizer holds is a condition of the profile, and no failure", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run(runProfileController, runSummaryController);
  const deployed = { ...configMaps, namespace: "default", name: "deployed" };
  const hold = (finalizers: readonly string[]) =>
    fixture.until(fixture.managed("c1").patch(deployed, { type: "merge", patch: { metadata: { finalizers } } }));
  await fixture.apply(objects("red"));
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await fixture.advance(5000);
  await hold(["example.com/held"]);
  await deleteAsUser(fixture, "ClusterProfile", "demo");
  await fixture.advance(10_000);
  assert.deepEqual(await readConditions(fixture, "ClusterProfile", "demo"), [], "many finalizers go by themselves");
  await fixture.advance(60_000);
  assert.deepEqual(await readConditions(fixture, "ClusterProfile", "demo"), [
    "WithdrawalBlocked WaitingForObjects: what it has deployed cannot be withdrawn: cluster mgmt/c1: " +
      "configmap/deployed in namespace default: being deleted, kept by the finalizers example.com/held",
  ]);
  assert.equal((await readProfileStatus(fixture, "demo"))["failedClusters"], undefined);
  await hold([]);
  await fixture.advance(5000);
  assert.deepEqual(await summaryNames(fixture), []);
  assert.equal(await fixture.get({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }), undefined);
});

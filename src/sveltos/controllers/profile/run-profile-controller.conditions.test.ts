import assert from "node:assert/strict";
import { test } from "node:test";
import { originLabels } from "../../api/index.ts";
import {
  applyAsUser,
  onFvClusters,
  openProfileFixture,
  patchCluster,
  profileObject,
  readConditions,
  readProfileStatus,
  setDeployed,
} from "../../../../test/support/profile/profile-fixture.ts";

const paused = { "profile.projectsveltos.io/paused": "" };

test("a profile is Reconciling until every cluster has its present spec", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  const conditions = (name = "demo") => readConditions(fixture, "ClusterProfile", name);
  const deploying = ["Reconciling Deploying: being deployed"];
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  assert.deepEqual(await conditions(), deploying);
  await setDeployed(fixture, "demo-sveltos-c1");
  fixture.written.length = 0;
  assert.deepEqual(await conditions(), deploying);
  await setDeployed(fixture, "demo-sveltos-c2", "no");
  assert.deepEqual(await conditions(), [], "what has failed is not called being deployed");
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 50 }));
  assert.deepEqual(await conditions(), deploying, "Provisioned was said of the spec before");
  assert.equal((await readProfileStatus(fixture, "demo"))["failedClusters"], undefined, "and so was the failure");
  await setDeployed(fixture, "demo-sveltos-c1");
  fixture.unreachable.add("c2");
  await fixture.advance(300_000);
  assert.deepEqual(await conditions(), ["Reconciling ClusterNotReady: cluster mgmt/c2 cannot be reached"]);
  await patchCluster(fixture, "c2", { spec: { paused: true } });
  assert.deepEqual(await conditions(), []);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 51 }));
  assert.deepEqual(await conditions(), deploying);
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, tier: 51 }, "ClusterProfile", { annotations: paused }));
  assert.deepEqual(await conditions(), []);
  await applyAsUser(fixture, profileObject("dry", { ...onFvClusters, syncMode: "DryRun" }));
  assert.deepEqual(await conditions("dry"), []);
  const origin = { trigger: "t", eventSource: "e", cluster: fixture.id("c1") };
  await applyAsUser(fixture, profileObject("generated", onFvClusters, "ClusterProfile", { labels: originLabels(origin) }));
  assert.deepEqual(await conditions("generated"), []);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { originLabels } from "../../api/index.ts";
import { noTelemetry, type RecordedEvent } from "../../telemetry/index.ts";
import {
  applyAsUser,
  deleteAsUser,
  onFvClusters,
  openProfileFixture,
  patchCluster,
  policyContent,
  profileObject,
  readConditions,
  readProfileStatus,
  referenceTo,
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

test("conditions that come or change are Events, once, and go when they are healed", async (t) => {
  const events: string[] = [];
  const recordEvent = ({ metadata }: KubeObject, { type, reason, message }: RecordedEvent) =>
    void events.push(`${metadata.name} ${type} ${reason}: ${message}`);
  const clusters = { c1: { env: "fv" }, c2: { env: "away" } };
  const fixture = await openProfileFixture(t, { clusters, context: { telemetry: { ...noTelemetry, recordEvent } } });
  const conditions = (name: string) => readConditions(fixture, "ClusterProfile", name);
  await applyAsUser(fixture, profileObject("lost", { ...onFvClusters, clusterSelector: { matchLabels: { env: "no" } } }));
  await applyAsUser(fixture, profileObject("needy", { ...onFvClusters, dependsOn: ["lost", "ghost"] }));
  await applyAsUser(fixture, profileObject("nowhere", { ...policyContent, clusterRefs: [referenceTo("c9")], setRefs: ["s"] }));
  await applyAsUser(fixture, profileObject("stuck", { ...onFvClusters, clusterSelector: { matchLabels: { env: "away" } } }));
  await setDeployed(fixture, "stuck-sveltos-c2");
  assert.deepEqual(await conditions("lost"), [
    "NoMatchingCluster NoMatchingCluster: no cluster has the labels of spec.clusterSelector: env=no",
  ]);
  assert.deepEqual(await conditions("needy"), ["Reconciling MissingDependency: spec.dependsOn: there is no ClusterProfile ghost"]);
  assert.deepEqual(await conditions("nowhere"), ["NoMatchingCluster NoMatchingCluster: none of spec.clusterRefs exists"]);
  fixture.unreachable.add("c2");
  await fixture.advance(300_000);
  await deleteAsUser(fixture, "ClusterProfile", "stuck");
  assert.deepEqual(await conditions("stuck"), [
    "WithdrawalBlocked ClusterNotReady: what it has deployed cannot be withdrawn: cluster mgmt/c2 cannot be reached",
  ]);
  // Nothing has changed for these: a label that no selector is about makes them look again.
  await patchCluster(fixture, "c1", { metadata: { labels: { other: "x" } } });
  await applyAsUser(fixture, profileObject("lost", { ...onFvClusters, clusterSelector: { matchLabels: { env: "no" } }, tier: 5 }));
  assert.deepEqual(
    events.filter((event) => !event.includes("MissingReference")),
    [
      "lost Warning NoMatchingCluster: no cluster has the labels of spec.clusterSelector: env=no",
      "needy Normal MissingDependency: spec.dependsOn: there is no ClusterProfile ghost",
      "nowhere Warning NoMatchingCluster: none of spec.clusterRefs exists",
      "stuck Warning ClusterNotReady: what it has deployed cannot be withdrawn: cluster mgmt/c2 cannot be reached",
    ],
  );
  fixture.unreachable.delete("c2");
  await fixture.advance(300_000);
  assert.deepEqual(await conditions("stuck"), []);
  await patchCluster(fixture, "c1", { metadata: { labels: { env: "no" } } });
  assert.deepEqual(await conditions("lost"), ["Reconciling Deploying: being deployed"]);
});

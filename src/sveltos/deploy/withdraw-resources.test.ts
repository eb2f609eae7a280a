import assert from "node:assert/strict";
import { test } from "node:test";
import { configMapsYaml, policyRefsYaml, sourceYaml } from "../../../test/support/addon-content.ts";
import { DeployFixture, managedCluster, never } from "../../../test/support/deploy/deploy-fixture.ts";
import { refOf, type KubeObject } from "../../core/object/index.ts";
import { heldIn, summaryStatusOf, withdrawProfile } from "./index.ts";

async function deployed(spec = ""): Promise<DeployFixture> {
  const fixture = await DeployFixture.open();
  await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1 b=1") }));
  assert.equal((await fixture.deploy(`${spec}\n${policyRefsYaml("s")}`)).failure, undefined);
  return fixture;
}

test("WithdrawPolicies deletes the objects of the profile, and no others", async () => {
  const fixture = await deployed();
  await fixture.apply(configMapsYaml("c=9"), fixture.managed);
  const { outcome } = await fixture.withdraw(policyRefsYaml("s"));
  assert.equal(outcome.settled, true);
  assert.deepEqual(outcome.features, []);
  assert.equal(await fixture.configMaps(), "c=9");
  assert.deepEqual(outcome.status.releases, []);
});

test("LeavePolicies keeps the objects without ownership labels", async () => {
  const fixture = await deployed("stopMatchingBehavior: LeavePolicies");
  const { outcome } = await fixture.withdraw(`stopMatchingBehavior: LeavePolicies\n${policyRefsYaml("s")}`);
  assert.equal(outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
  const { labels, annotations } = (await fixture.find("ConfigMap/default/a"))?.metadata ?? {};
  // As corpus/sveltos-recorded/09-clusterprofile/7-after.json has them.
  assert.deepEqual(labels, { "projectsveltos.io/reason": "Resources" });
  assert.equal(annotations?.["projectsveltos.io/owner-tier"], "100");
  assert.equal(annotations["projectsveltos.io/owner-name"], undefined);
  assert.notEqual(annotations["projectsveltos.io/hash"], undefined);
  assert.equal((await fixture.deploy(policyRefsYaml("s"), { name: "another" })).failure, undefined, "it is adopted again");
});

test("a profile in DryRun withdraws nothing", async () => {
  const fixture = await deployed();
  assert.equal((await fixture.withdraw(`syncMode: DryRun\n${policyRefsYaml("s")}`)).outcome.settled, true);
  assert.equal(await fixture.configMaps(), "a=1 b=1");
});

test("objects that Sveltos deployed are found by kind and label", async () => {
  for (const marks of [
    {
      labels: { "projectsveltos.io/reference-name": "s" },
      ownerReferences: [{ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", name: "demo", uid: "1" }],
    },
    {
      labels: { "projectsveltos.io/reason": "Resources" },
      annotations: { "projectsveltos.io/owner-kind": "ClusterProfile", "projectsveltos.io/owner-name": "demo" },
    },
  ]) {
    const fixture = await DeployFixture.open();
    const old = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "old", namespace: "default", ...marks }, data: { v: "0" } };
    await fixture.until(fixture.managed.create(old));
    const summary = await fixture.summary(policyRefsYaml("s"));
    const status = {
      deployedGVKs: [{ featureID: "Resources", deployedGroupVersionKind: ["ConfigMap.v1."] }],
      featureSummaries: [{ featureID: "Resources", status: "Provisioned" }],
    };
    await fixture.until(fixture.hub.replace({ ...summary, status }, { subresource: "status" }));
    await fixture.apply(sourceYaml("s", { a: configMapsYaml("a=1") }));
    assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
    assert.equal(await fixture.configMaps(), "a=1");
  }
});

/** The ClusterSummary of a deployed profile, while it is being deleted. */
async function deletedSummary(fixture: DeployFixture): Promise<KubeObject> {
  const ref = refOf(await fixture.summary(policyRefsYaml("s")));
  const patch = { metadata: { finalizers: ["example.com/held"] } };
  await fixture.until(fixture.hub.patch(ref, { type: "merge", patch }));
  await fixture.until(fixture.hub.delete(ref));
  const summary = await fixture.until(fixture.hub.find(ref));
  assert.ok(summary?.metadata.deletionTimestamp !== undefined);
  return summary;
}

test("of a ClusterSummary that is being deleted nothing is written, unless an object takes its time", async () => {
  const fixture = await deployed();
  const summary = await deletedSummary(fixture);
  fixture.written.length = 0;
  const run = await fixture.collect(withdrawProfile({ summary, cluster: managedCluster }, fixture.context, { signal: never }));
  assert.deepEqual([run.outcome.settled, run.outcome.summary, await fixture.configMaps()], [true, summary, ""]);
  assert.deepEqual(fixture.written.map((each) => each.replace(/\/.*\//, "")).toSorted(), ["DELETE c1 a", "DELETE c1 b"]);

  const held = await deployed();
  const object = { group: "", version: "v1", kind: "ConfigMap", namespace: "default", name: "a" };
  const finalizers = (some: readonly string[]) => held.managed.patch(object, { type: "merge", patch: { metadata: { finalizers: some } } });
  await held.until(finalizers(["example.com/held"]));
  const going = await deletedSummary(held);
  const withdrawing = held.collect(withdrawProfile({ summary: going, cluster: managedCluster }, held.context, { signal: never }));
  await held.clock.advance(2000);
  const seen = await held.until(held.hub.find(refOf(going)));
  assert.equal(seen === undefined ? undefined : summaryStatusOf(seen).featureSummaries?.[0]?.status, "Removing");
  assert.deepEqual(seen === undefined ? [] : heldIn(summaryStatusOf(seen)), []);
  await held.clock.advance(60_000);
  const told = await held.until(held.hub.get(refOf(going)));
  const says = "configmap/a in namespace default: being deleted, kept by the finalizers example.com/held";
  assert.deepEqual(heldIn(summaryStatusOf(told)), [says]);
  held.written.length = 0;
  await held.clock.advance(600_000);
  assert.deepEqual(held.written, [], "it is said once");
  await held.until(finalizers([]));
  assert.equal((await withdrawing).outcome.settled, true);
});

const held = (finalizers: readonly string[]) => ({ type: "merge", patch: { metadata: { finalizers } } }) as const;
const podKind = { group: "", version: "v1", kind: "Pod" };

/** A deployed Deployment, whose pod something holds, and a ConfigMap that was deployed before it. */
async function heldWorkload(): Promise<{ readonly fixture: DeployFixture; readonly letGo: () => Promise<unknown> }> {
  const fixture = await DeployFixture.open();
  const labels = { app: "web" };
  const deployment = JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "default", annotations: { "werf.io/weight": "1" } },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "good" }] } },
    },
  });
  await fixture.apply(sourceYaml("s", { a: `${configMapsYaml("a=1")}\n---\n${deployment}` }));
  assert.equal((await fixture.deploy(policyRefsYaml("s"))).failure, undefined);
  const [pod] = (await fixture.until(fixture.managed.list(podKind, { namespace: "default" }))).items;
  const ref = { ...podKind, namespace: "default", name: pod!.metadata.name };
  await fixture.until(fixture.managed.patch(ref, held(["example.com/held"])));
  return { fixture, letGo: () => fixture.until(fixture.managed.patch(ref, held([]))) };
}

test("a workload is withdrawn in the background, and the withdrawal goes on when its pods are gone, in a second run too", async () => {
  for (const isDeleted of [false, true]) {
    const { fixture, letGo } = await heldWorkload();
    const summary = isDeleted ? await deletedSummary(fixture) : await fixture.summary(policyRefsYaml("s"));
    const withdraw = async (signal: AbortSignal) => {
      const now = await fixture.until(fixture.hub.get(refOf(summary)));
      return fixture.collect(withdrawProfile({ summary: now, cluster: managedCluster }, fixture.context, { signal }));
    };
    const dies = new AbortController();
    const first = assert.rejects(withdraw(dies.signal));
    await fixture.clock.advance(5000);
    assert.equal(await fixture.find("Deployment/default/web"), undefined);
    assert.equal(await fixture.configMaps(), "a=1", "its pod is still there");
    dies.abort(new Error("killed"));
    await first;
    const second = withdraw(never);
    await fixture.clock.advance(5000);
    assert.equal(await fixture.configMaps(), "a=1", "its pod is still there");
    await letGo();
    assert.equal((await second).outcome.settled, true);
    assert.equal(await fixture.configMaps(), "");
  }
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf, originLabels } from "../../api/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { noTelemetry, type RecordedEvent } from "../../telemetry/index.ts";
import type { ControllerContext } from "../context/index.ts";
import {
  clusterNamesAt,
  policyContent,
  setDeployed,
  summaryNames,
  onFvClusters,
  openProfileFixture,
  patchCluster,
  profileObject,
  referenceTo,
  deleteAsUser,
  summarySpecField,
  readProfileStatus,
  readSummary,
  finishWithdrawals,
  applyAsUser,
} from "../../../../test/support/profile/profile-fixture.ts";
import { runProfileController } from "./index.ts";

test("failures are in the status and in Events, and nothing is withdrawn", async (t) => {
  const events: string[] = [];
  const recordEvent = ({ metadata }: KubeObject, { reason, message }: RecordedEvent) =>
    void events.push(`${metadata.name} ${reason}: ${message}`);
  const fixture = await openProfileFixture(t, { context: { telemetry: { ...noTelemetry, recordEvent } } });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  const refused = "not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs";
  await applyAsUser(
    fixture,
    profileObject("demo", {
      ...onFvClusters,
      clusterSelector: {},
      kustomizationRefs: [{ kind: "GitRepository", name: "x", namespace: "y" }],
    }),
  );
  assert.equal((await readProfileStatus(fixture, "demo"))["failureMessage"], refused);
  assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1"]);
  assert.equal(await summarySpecField(fixture, "demo-sveltos-c1", "kustomizationRefs"), undefined);
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  assert.equal((await readProfileStatus(fixture, "demo"))["failureMessage"], undefined);

  await applyAsUser(
    fixture,
    profileObject("tenant", onFvClusters, "ClusterProfile", { labels: { "projectsveltos.io/admin-name": "eng" } }),
  );
  assert.match(
    String((await readProfileStatus(fixture, "tenant"))["failureMessage"]),
    /^nothing is deployed: its label projectsveltos\.io\/admin-name: eng names no tenant/,
  );
  await applyAsUser(fixture, profileObject("a", { ...onFvClusters, dependsOn: ["b"] }));
  assert.deepEqual(await clusterNamesAt(fixture, "a", "matchingClusters"), ["c1"]);
  await applyAsUser(fixture, profileObject("b", { ...onFvClusters, dependsOn: ["a"] }));
  const cycle = "spec.dependsOn has a cycle, therefore nothing is deployed: ";
  assert.equal((await readProfileStatus(fixture, "a"))["failureMessage"], `${cycle}a needs b needs a`);
  assert.equal((await readProfileStatus(fixture, "b"))["failureMessage"], `${cycle}b needs a needs b`);
  await applyAsUser(fixture, profileObject("b", onFvClusters));
  assert.equal((await readProfileStatus(fixture, "a"))["failureMessage"], undefined, "it is looked at again when the other has changed");
  assert.deepEqual(await summaryNames(fixture), ["a-sveltos-c1", "b-sveltos-c1", "demo-sveltos-c1"]);

  await setDeployed(fixture, "demo-sveltos-c1", "ConfigMap default/objects does not exist");
  const clusterRef = referenceTo("c1");
  assert.deepEqual((await readProfileStatus(fixture, "demo"))["failedClusters"], [
    { clusterRef, failureMessage: "ConfigMap default/objects does not exist" },
  ]);
  await setDeployed(fixture, "demo-sveltos-c1");
  assert.equal((await readProfileStatus(fixture, "demo"))["failedClusters"], undefined);
  assert.ok(events.includes(`demo Refused: ${refused}`));
  assert.deepEqual(
    events.filter((line) => line.startsWith("demo")),
    [`demo Refused: ${refused}`],
    "what fails in a cluster the controller of ClusterSummaries records",
  );

  await applyAsUser(
    fixture,
    profileObject("demo", { ...onFvClusters, clusterSelector: {} }, "ClusterProfile", {
      annotations: { "profile.projectsveltos.io/paused": "" },
    }),
  );
  assert.deepEqual((await summaryNames(fixture)).at(-1), "demo-sveltos-c1", "nothing is done while it is paused");
  assert.equal((await readProfileStatus(fixture, "demo"))["reconciliationSuspended"], true);
  const annotations = async () => (await readSummary(fixture, "demo-sveltos-c1"))?.metadata.annotations;
  assert.deepEqual(await annotations(), { "profile.projectsveltos.io/paused": "" }, "in its clusters neither");
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  assert.deepEqual((await annotations()) ?? {}, {});
  assert.equal((await readProfileStatus(fixture, "demo"))["reconciliationSuspended"], undefined);
});

test("maxUpdate: one cluster after the other, the next when the new content is deployed", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, maxUpdate: 1 }));
  assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1"]);
  await setDeployed(fixture, "demo-sveltos-c1");
  assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1", "demo-sveltos-c2"]);
  await setDeployed(fixture, "demo-sveltos-c2");
  assert.deepEqual(await clusterNamesAt(fixture, "demo", "updatedClusters.clusters"), ["c1", "c2"]);

  await applyAsUser(fixture, profileObject("demo", { ...onFvClusters, maxUpdate: 1, tier: 7 }));
  const tiers = async () => [
    await summarySpecField(fixture, "demo-sveltos-c1", "tier"),
    await summarySpecField(fixture, "demo-sveltos-c2", "tier"),
  ];
  assert.deepEqual(await tiers(), [7, 100], "that the old content was provisioned counts for nothing");
  assert.deepEqual(await clusterNamesAt(fixture, "demo", "updatingClusters.clusters"), ["c1"]);
  await setDeployed(fixture, "demo-sveltos-c1", "refused");
  assert.deepEqual(await tiers(), [7, 100]);
  await setDeployed(fixture, "demo-sveltos-c1");
  assert.deepEqual(await tiers(), [7, 7]);
});

test("a generated profile is labelled with its cluster, and its ClusterSummary has all its labels", async (t) => {
  const fixture = await openProfileFixture(t);
  const origin = originLabels({
    trigger: "et",
    eventSource: "es",
    cluster: fixture.id("c1"),
    resource: { name: "web", namespace: "default" },
  });
  await applyAsUser(
    fixture,
    profileObject("sveltos-x", { ...policyContent, clusterRefs: [referenceTo("c1")] }, "ClusterProfile", { labels: origin }),
  );
  const labels = {
    ...origin,
    "projectsveltos.io/cluster-name": "c1",
    "projectsveltos.io/cluster-type": "Sveltos",
    "projectsveltos.io/cluster-profile-name": "sveltos-x",
  };
  assert.deepEqual((await fixture.list(gvkOf("ClusterProfile")))[0]?.metadata.labels, labels);
  assert.deepEqual((await readSummary(fixture, "sveltos-x-sveltos-c1"))?.metadata.labels, labels);
});

test("a conflict with the name of another profile's ClusterSummary is reported, and ends when the name is free", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { "b-sveltos-c": { env: "one" }, c: { env: "two" } } });
  await applyAsUser(fixture, profileObject("a", { ...policyContent, clusterSelector: { matchLabels: { env: "one" } } }));
  await applyAsUser(fixture, profileObject("a-sveltos-b", { ...policyContent, clusterSelector: { matchLabels: { env: "two" } } }));
  const { failedClusters } = await readProfileStatus(fixture, "a-sveltos-b");
  assert.match(JSON.stringify(failedClusters), /name is taken by ClusterProfile\/\/a: rename one/);
  await deleteAsUser(fixture, "ClusterProfile", "a");
  await finishWithdrawals(fixture);
  await fixture.advance(600_000);
  assert.equal(stringAt(await readSummary(fixture, "a-sveltos-b-sveltos-c"), "spec.clusterName"), "c");
  assert.equal((await readProfileStatus(fixture, "a-sveltos-b"))["failedClusters"], undefined);
});

test("a steady state writes nothing, also after a restart", async (t) => {
  const fixture = await openProfileFixture(t, { clusters: { c1: { env: "fv" }, c2: {} } });
  await applyAsUser(fixture, profileObject("demo", onFvClusters));
  await applyAsUser(fixture, profileObject("bare", {}));
  await fixture.until(
    fixture.hub.create({ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", metadata: { name: "nothing" } }),
  );
  await setDeployed(fixture, "demo-sveltos-c1");
  fixture.written.length = 0;
  await fixture.advance(600_000);
  await patchCluster(fixture, "c2", { metadata: { labels: { other: "label" } } });
  const again = new AbortController();
  const second = runProfileController(fixture.context, again.signal);
  await fixture.advance(1000);
  again.abort();
  await fixture.until(second);
  assert.deepEqual(fixture.written, ["PATCH hub /apis/lib.projectsveltos.io/v1beta1/namespaces/mgmt/sveltosclusters/c2"]);
});

/** A management cluster that the work is torn away from when it is about to write for the `count`th time. */
function dying(hub: Cluster, count: number, die: () => void): Cluster {
  let left = count;
  const mortal =
    <A extends unknown[], R>(write: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> => {
      if (left-- > 0) return write(...args);
      die();
      return Promise.reject(new Error("killed"));
    };
  const { create, replace, patch } = hub;
  return { ...hub, create: mortal(create), replace: mortal(replace), patch: mortal(patch), delete: mortal(hub.delete) };
}

async function killedAfter(fixture: EmbeddedFleet, count: number): Promise<void> {
  const life = new AbortController();
  const context: ControllerContext = { ...fixture.context, hub: dying(fixture.hub, count, () => life.abort()) };
  const work = runProfileController(context, AbortSignal.any([life.signal, fixture.signal]));
  await fixture.advance(1000);
  life.abort();
  await fixture.until(work);
}

test("killed before any write and started again, it has the same result", async (t) => {
  const fixture = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => fixture.close());
  await fixture.run();
  for (let count = 0; count < 6; count++) {
    await fixture.until(fixture.hub.apply(profileObject("demo", { ...onFvClusters, maxUpdate: 2 }), { manager: "user", force: true }));
    await killedAfter(fixture, count);
    await killedAfter(fixture, 100);
    assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1", "demo-sveltos-c2"], `killed after ${count} writes`);
    assert.deepEqual(await clusterNamesAt(fixture, "demo", "matchingClusters"), ["c1", "c2"]);
    for (const name of await summaryNames(fixture)) await setDeployed(fixture, name);
    await fixture.until(
      fixture.hub.apply(profileObject("demo", { ...onFvClusters, maxUpdate: 2, tier: 3 }), { manager: "user", force: true }),
    );
    await killedAfter(fixture, count);
    await killedAfter(fixture, 100);
    assert.equal(await summarySpecField(fixture, "demo-sveltos-c2", "tier"), 3);
    await fixture.until(fixture.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }));
    await killedAfter(fixture, count);
    await killedAfter(fixture, 100);
    await finishWithdrawals(fixture);
    await killedAfter(fixture, 0);
    await killedAfter(fixture, 100);
    assert.deepEqual(await fixture.list(gvkOf("ClusterProfile")), []);
    assert.deepEqual(await summaryNames(fixture), []);
  }
});

test("a profile that is deleted before it has a finalizer leaves nothing behind", async (t) => {
  const fixture = await EmbeddedFleet.open();
  t.after(() => fixture.close());
  await fixture.run();
  await fixture.until(fixture.hub.apply(profileObject("demo", onFvClusters), { manager: "user", force: true }));
  await killedAfter(fixture, 1);
  assert.deepEqual(await summaryNames(fixture), ["demo-sveltos-c1"]);
  await fixture.until(fixture.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }));
  assert.deepEqual(await fixture.list(gvkOf("ClusterProfile")), []);
  await killedAfter(fixture, 100);
  assert.deepEqual(await summaryNames(fixture), ["-demo-sveltos-c1"]);
});

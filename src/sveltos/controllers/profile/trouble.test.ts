import assert from "node:assert/strict";
import { test } from "node:test";
import { EmbeddedFleet } from "../../../../test/support/embedded-fleet.ts";
import { gvkOf, originLabels } from "../../api/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { silent, type Happening } from "../../telemetry/index.ts";
import type { Desk } from "../context/index.ts";
import {
  clustersAt,
  content,
  deployed,
  names,
  onFv,
  openLab,
  patchCluster,
  profile,
  referenceTo,
  remove,
  specOf,
  status,
  summary,
  withdrawn,
  write,
} from "../../../../test/support/profile/lab.ts";
import { keepProfiles } from "./index.ts";

test("what is wrong is said where the user looks, and nothing that is deployed goes", async (t) => {
  const notes: string[] = [];
  const note = ({ metadata }: KubeObject, { reason, message }: Happening) => void notes.push(`${metadata.name} ${reason}: ${message}`);
  const lab = await openLab(t, { desk: { chronicle: { ...silent, note } } });
  await write(lab, profile("demo", onFv));
  const refused = "not built into Sluice, therefore nothing is deployed: spec.kustomizationRefs";
  await write(
    lab,
    profile("demo", { ...onFv, clusterSelector: {}, kustomizationRefs: [{ kind: "GitRepository", name: "x", namespace: "y" }] }),
  );
  assert.equal((await status(lab, "demo"))["failureMessage"], refused);
  assert.deepEqual(await names(lab), ["demo-sveltos-c1"]);
  assert.equal(await specOf(lab, "demo-sveltos-c1", "kustomizationRefs"), undefined);
  await write(lab, profile("demo", onFv));
  assert.equal((await status(lab, "demo"))["failureMessage"], undefined);

  await write(lab, profile("tenant", onFv, "ClusterProfile", { labels: { "projectsveltos.io/admin-name": "eng" } }));
  assert.match(String((await status(lab, "tenant"))["failureMessage"]), /metadata\.labels\[projectsveltos\.io\/admin-name\]/);
  await write(lab, profile("a", { ...onFv, dependsOn: ["b"] }));
  assert.deepEqual(await clustersAt(lab, "a", "matchingClusters"), ["c1"]);
  await write(lab, profile("b", { ...onFv, dependsOn: ["a"] }));
  const circle = "spec.dependsOn goes in a circle, therefore nothing is deployed: ";
  assert.equal((await status(lab, "a"))["failureMessage"], `${circle}a needs b needs a`);
  assert.equal((await status(lab, "b"))["failureMessage"], `${circle}b needs a needs b`);
  await write(lab, profile("b", onFv));
  assert.equal((await status(lab, "a"))["failureMessage"], undefined, "it is looked at again when the other has changed");
  assert.deepEqual(await names(lab), ["a-sveltos-c1", "b-sveltos-c1", "demo-sveltos-c1"]);

  await deployed(lab, "demo-sveltos-c1", "ConfigMap default/objects does not exist");
  const clusterRef = referenceTo("c1");
  assert.deepEqual((await status(lab, "demo"))["failedClusters"], [
    { clusterRef, failureMessage: "ConfigMap default/objects does not exist" },
  ]);
  await deployed(lab, "demo-sveltos-c1");
  assert.equal((await status(lab, "demo"))["failedClusters"], undefined);
  assert.ok(notes.includes(`demo Refused: ${refused}`));
  assert.ok(notes.includes("demo Failed: mgmt/c1: ConfigMap default/objects does not exist"));
  assert.equal(notes.filter((line) => line.startsWith("demo")).length, 2);

  await write(
    lab,
    profile("demo", { ...onFv, clusterSelector: {} }, "ClusterProfile", { annotations: { "profile.projectsveltos.io/paused": "" } }),
  );
  assert.deepEqual((await names(lab)).at(-1), "demo-sveltos-c1", "nothing is done while it is paused");
  assert.equal((await status(lab, "demo"))["reconciliationSuspended"], true);
  const annotations = async () => (await summary(lab, "demo-sveltos-c1"))?.metadata.annotations;
  assert.deepEqual(await annotations(), { "profile.projectsveltos.io/paused": "" }, "in its clusters neither");
  await write(lab, profile("demo", onFv));
  assert.deepEqual((await annotations()) ?? {}, {});
  assert.equal((await status(lab, "demo"))["reconciliationSuspended"], undefined);
});

test("maxUpdate: one cluster after the other, the next when the new content is there", async (t) => {
  const lab = await openLab(t, { clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  await write(lab, profile("demo", { ...onFv, maxUpdate: 1 }));
  assert.deepEqual(await names(lab), ["demo-sveltos-c1"]);
  await deployed(lab, "demo-sveltos-c1");
  assert.deepEqual(await names(lab), ["demo-sveltos-c1", "demo-sveltos-c2"]);
  await deployed(lab, "demo-sveltos-c2");
  assert.deepEqual(await clustersAt(lab, "demo", "updatedClusters.clusters"), ["c1", "c2"]);

  await write(lab, profile("demo", { ...onFv, maxUpdate: 1, tier: 7 }));
  const tiers = async () => [await specOf(lab, "demo-sveltos-c1", "tier"), await specOf(lab, "demo-sveltos-c2", "tier")];
  assert.deepEqual(await tiers(), [7, 100], "that the old content was provisioned counts for nothing");
  assert.deepEqual(await clustersAt(lab, "demo", "updatingClusters.clusters"), ["c1"]);
  await deployed(lab, "demo-sveltos-c1", "refused");
  assert.deepEqual(await tiers(), [7, 100]);
  await deployed(lab, "demo-sveltos-c1");
  assert.deepEqual(await tiers(), [7, 7]);
});

test("a generated profile is labelled with its cluster, and so is its ClusterSummary with all that it has", async (t) => {
  const lab = await openLab(t);
  const origin = originLabels({ trigger: "et", eventSource: "es", cluster: lab.id("c1"), resource: { name: "web", namespace: "default" } });
  await write(lab, profile("sveltos-x", { ...content, clusterRefs: [referenceTo("c1")] }, "ClusterProfile", { labels: origin }));
  const labels = {
    ...origin,
    "projectsveltos.io/cluster-name": "c1",
    "projectsveltos.io/cluster-type": "Sveltos",
    "projectsveltos.io/cluster-profile-name": "sveltos-x",
  };
  assert.deepEqual((await lab.list(gvkOf("ClusterProfile")))[0]?.metadata.labels, labels);
  assert.deepEqual((await summary(lab, "sveltos-x-sveltos-c1"))?.metadata.labels, labels);
});

test("a name that another profile's ClusterSummary has is said, and taken when it is free", async (t) => {
  const lab = await openLab(t, { clusters: { "b-sveltos-c": { env: "one" }, c: { env: "two" } } });
  await write(lab, profile("a", { ...content, clusterSelector: { matchLabels: { env: "one" } } }));
  await write(lab, profile("a-sveltos-b", { ...content, clusterSelector: { matchLabels: { env: "two" } } }));
  const { failedClusters } = await status(lab, "a-sveltos-b");
  assert.match(JSON.stringify(failedClusters), /name is taken by ClusterProfile\/\/a: rename one/);
  await remove(lab, "ClusterProfile", "a");
  await withdrawn(lab);
  await lab.advance(600_000);
  assert.equal(stringAt(await summary(lab, "a-sveltos-b-sveltos-c"), "spec.clusterName"), "c");
  assert.equal((await status(lab, "a-sveltos-b"))["failedClusters"], undefined);
});

test("nothing is written when nothing has changed, also by one that begins anew", async (t) => {
  const lab = await openLab(t, { clusters: { c1: { env: "fv" }, c2: {} } });
  await write(lab, profile("demo", onFv));
  await write(lab, profile("bare", {}));
  await lab.until(
    lab.hub.create({ apiVersion: "config.projectsveltos.io/v1beta1", kind: "ClusterProfile", metadata: { name: "nothing" } }),
  );
  await deployed(lab, "demo-sveltos-c1");
  lab.written.length = 0;
  await lab.advance(600_000);
  await patchCluster(lab, "c2", { metadata: { labels: { other: "label" } } });
  const again = new AbortController();
  const second = keepProfiles(lab.desk, again.signal);
  await lab.advance(1000);
  again.abort();
  await lab.until(second);
  assert.deepEqual(lab.written, ["PATCH hub /apis/lib.projectsveltos.io/v1beta1/namespaces/mgmt/sveltosclusters/c2"]);
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

async function killedAfter(lab: EmbeddedFleet, count: number): Promise<void> {
  const life = new AbortController();
  const desk: Desk = { ...lab.desk, hub: dying(lab.hub, count, () => life.abort()) };
  const work = keepProfiles(desk, AbortSignal.any([life.signal, lab.signal]));
  await lab.advance(1000);
  life.abort();
  await lab.until(work);
}

test("killed before any write and begun anew, it comes to the same end", async (t) => {
  const lab = await EmbeddedFleet.open({ clusters: { c1: { env: "fv" }, c2: { env: "fv" } } });
  t.after(() => lab.close());
  await lab.run();
  for (let count = 0; count < 6; count++) {
    await lab.until(lab.hub.apply(profile("demo", { ...onFv, maxUpdate: 2 }), { manager: "user", force: true }));
    await killedAfter(lab, count);
    await killedAfter(lab, 100);
    assert.deepEqual(await names(lab), ["demo-sveltos-c1", "demo-sveltos-c2"], `killed after ${count} writes`);
    assert.deepEqual(await clustersAt(lab, "demo", "matchingClusters"), ["c1", "c2"]);
    for (const name of await names(lab)) await deployed(lab, name);
    await lab.until(lab.hub.apply(profile("demo", { ...onFv, maxUpdate: 2, tier: 3 }), { manager: "user", force: true }));
    await killedAfter(lab, count);
    await killedAfter(lab, 100);
    assert.equal(await specOf(lab, "demo-sveltos-c2", "tier"), 3);
    await lab.until(lab.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }));
    await killedAfter(lab, count);
    await killedAfter(lab, 100);
    await withdrawn(lab);
    await killedAfter(lab, 0);
    await killedAfter(lab, 100);
    assert.deepEqual(await lab.list(gvkOf("ClusterProfile")), []);
    assert.deepEqual(await names(lab), []);
  }
});

test("a profile that is deleted before it is marked leaves nothing behind", async (t) => {
  const lab = await EmbeddedFleet.open();
  t.after(() => lab.close());
  await lab.run();
  await lab.until(lab.hub.apply(profile("demo", onFv), { manager: "user", force: true }));
  await killedAfter(lab, 1);
  assert.deepEqual(await names(lab), ["demo-sveltos-c1"]);
  await lab.until(lab.hub.delete({ ...gvkOf("ClusterProfile"), namespace: "", name: "demo" }));
  assert.deepEqual(await lab.list(gvkOf("ClusterProfile")), []);
  await killedAfter(lab, 100);
  assert.deepEqual(await names(lab), ["-demo-sveltos-c1"]);
});

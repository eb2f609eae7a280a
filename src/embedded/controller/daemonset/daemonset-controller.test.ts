import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const sets = "daemonsets.apps";

function daemonSet(spec: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: { name: "agent" },
    spec: { selector: appSelector, template: appPodTemplate("app:1"), ...spec },
  };
}

async function settled(nodes: number, spec: object = {}): Promise<EmbeddedTestCluster> {
  const cluster = new EmbeddedTestCluster({ nodes });
  await cluster.create(sets, daemonSet(spec));
  await cluster.settle();
  return cluster;
}

const imageOf = (pod: KubeObject) => stringAt(listAt(pod, "spec.containers")[0], "image", "");
const living = async (cluster: EmbeddedTestCluster) =>
  (await cluster.list("pods")).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
const placed = async (cluster: EmbeddedTestCluster) =>
  (await living(cluster)).map((pod) => `${stringAt(pod, "spec.nodeName")}=${imageOf(pod)}`).sort();

async function nodeNames(cluster: EmbeddedTestCluster): Promise<string[]> {
  return (await cluster.list("nodes")).map(({ metadata }) => metadata.name);
}

const full = (count: number) => ({
  currentNumberScheduled: count,
  desiredNumberScheduled: count,
  numberMisscheduled: 0,
  numberReady: count,
  numberAvailable: count,
  updatedNumberScheduled: count,
});

test("every node gets one Pod", async () => {
  const cluster = await settled(3);
  const names = await nodeNames(cluster);
  assert.deepEqual(
    await placed(cluster),
    names.map((name) => `${name}=app:1`),
  );
  assert.deepEqual(fieldsAt(await cluster.read(sets, "agent"), "status"), { ...full(3), observedGeneration: 1 });
  const [revision] = await cluster.list("controllerrevisions.apps");
  const hash = revision!.metadata.labels?.["controller-revision-hash"];
  assert.equal(revision!.metadata.name, `agent-${hash}`);
  for (const pod of await cluster.list("pods")) assert.equal(pod.metadata.labels?.["controller-revision-hash"], hash);
  assert.equal(
    (await cluster.events("DaemonSet", "agent")).filter((line) => line.startsWith("Normal SuccessfulCreate Created pod: agent-")).length,
    3,
  );
});

test("labels and taints of nodes move Pods", async () => {
  const cluster = new EmbeddedTestCluster({ nodes: 3 });
  const [first, second, third] = await nodeNames(cluster);
  await cluster.patch("nodes", first!, { metadata: { labels: { pool: "a" } } });
  await cluster.patch("nodes", second!, { metadata: { labels: { pool: "a" } } });
  await cluster.create(sets, daemonSet({ template: appPodTemplate("app:1", {}, { nodeSelector: { pool: "a" } }) }));
  await cluster.settle();
  assert.deepEqual(await placed(cluster), [`${first}=app:1`, `${second}=app:1`]);
  await cluster.patch("nodes", third!, { metadata: { labels: { pool: "a" } } });
  await cluster.settle();
  assert.deepEqual(await placed(cluster), [`${first}=app:1`, `${second}=app:1`, `${third}=app:1`]);
  await cluster.patch("nodes", second!, { metadata: { labels: { pool: null } } });
  await cluster.patch("nodes", third!, { spec: { taints: [{ key: "k", value: "v", effect: "NoExecute" }] } });
  await cluster.settle();
  assert.deepEqual(await placed(cluster), [`${first}=app:1`]);
});

test("an update replaces as many at a time as may be missing", async () => {
  const cluster = await settled(4, { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxUnavailable: 2 } } });
  await cluster.patch(sets, "agent", { spec: { template: appPodTemplate("app:2") } });
  let fewest = 4;
  for (let step = 0; step < 100; step++) {
    await cluster.clock.advance(200);
    const pods = await living(cluster);
    fewest = Math.min(fewest, pods.filter((pod) => findCondition(pod, "Ready", "True") !== undefined).length);
  }
  assert.equal(fewest, 2);
  assert.deepEqual(
    await placed(cluster),
    (await nodeNames(cluster)).map((name) => `${name}=app:2`),
  );
  assert.deepEqual(fieldsAt(await cluster.read(sets, "agent"), "status"), { ...full(4), observedGeneration: 2 });
});

test("with surge the new Pod is ready before the old one is deleted", async () => {
  const cluster = await settled(2, { updateStrategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
  await cluster.patch(sets, "agent", { spec: { template: appPodTemplate("app:2") } });
  for (let step = 0; step < 100; step++) {
    await cluster.clock.advance(200);
    const pods = await living(cluster);
    assert.ok(pods.length <= 3, `${pods.length} Pods`);
    const nodes = new Set(
      pods.filter((pod) => findCondition(pod, "Ready", "True") !== undefined).map((pod) => stringAt(pod, "spec.nodeName")),
    );
    assert.equal(nodes.size, 2, "every node has one that is ready");
  }
  assert.deepEqual(
    await placed(cluster),
    (await nodeNames(cluster)).map((name) => `${name}=app:2`),
  );
});

test("a bad image stops the update at what may be missing", async () => {
  const cluster = await settled(3);
  await cluster.patch(sets, "agent", { spec: { template: appPodTemplate("app:missing") } });
  await cluster.clock.advance(600_000);
  const images = (await living(cluster)).map(imageOf).sort();
  assert.deepEqual(images, ["app:1", "app:1", "app:missing"]);
  const status = fieldsAt(await cluster.read(sets, "agent"), "status");
  assert.deepEqual([status["numberAvailable"], status["numberUnavailable"], status["updatedNumberScheduled"]], [2, 1, 1]);
});

test("OnDelete updates a Pod when it is deleted", async () => {
  const cluster = await settled(2, { updateStrategy: { type: "OnDelete" } });
  await cluster.patch(sets, "agent", { spec: { template: appPodTemplate("app:2") } });
  await cluster.settle();
  const [pod] = await cluster.list("pods");
  await cluster.delete("pods", pod!.metadata.name);
  await cluster.settle();
  assert.deepEqual((await cluster.list("pods")).map(imageOf).sort(), ["app:1", "app:2"]);
});

test("old revisions are kept up to revisionHistoryLimit", async () => {
  const cluster = await settled(1, { revisionHistoryLimit: 1 });
  for (const image of ["app:2", "app:3", "app:4"]) {
    await cluster.patch(sets, "agent", { spec: { template: appPodTemplate(image) } });
    await cluster.settle();
  }
  assert.deepEqual((await cluster.list("controllerrevisions.apps")).map((revision) => revision["revision"]).sort(), [3, 4]);
});

test("a failed daemon Pod is recorded and replaced", async () => {
  const cluster = await settled(1);
  const [pod] = await living(cluster);
  await cluster.patch("pods", `${pod!.metadata.name}/status`, { status: { phase: "Failed" } });
  await cluster.settle();
  const [next] = await living(cluster);
  assert.notEqual(next!.metadata.name, pod!.metadata.name);
  const [node] = await nodeNames(cluster);
  const event = `Warning FailedDaemonPod Found failed daemon pod default/${pod!.metadata.name} on node ${node}, will try to kill it`;
  assert.ok((await cluster.events("DaemonSet", "agent")).includes(event));
});

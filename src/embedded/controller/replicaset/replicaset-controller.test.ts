import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

function replicaSet(replicas: number, spec: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "web" },
    spec: { replicas, selector: appSelector, template: appPodTemplate("app:1"), ...spec },
  };
}

const sets = "replicasets.apps";
const namesOf = (objects: readonly KubeObject[]) => objects.map(({ metadata }) => metadata.name);

test("a ReplicaSet makes its Pods, owns them and counts them", async () => {
  const cluster = new EmbeddedTestCluster();
  const { metadata } = await cluster.create(sets, replicaSet(3));
  await cluster.settle();
  const pods = await cluster.list("pods");
  assert.equal(pods.length, 3);
  for (const pod of pods) {
    assert.match(pod.metadata.name, /^web-[bcdfghjklmnpqrstvwxz2456789]{5}$/);
    assert.equal(pod.metadata.generateName, "web-");
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: metadata.uid, controller: true, blockOwnerDeletion: true };
    assert.deepEqual(pod.metadata.ownerReferences, [owner]);
  }
  const status = {
    replicas: 3,
    fullyLabeledReplicas: 3,
    readyReplicas: 3,
    availableReplicas: 3,
    observedGeneration: 1,
    terminatingReplicas: 0,
  };
  assert.deepEqual((await cluster.read(sets, "web"))["status"], status);
  assert.deepEqual(
    (await cluster.events("ReplicaSet", "web")).sort(),
    namesOf(pods)
      .map((name) => `Normal SuccessfulCreate Created pod: ${name}`)
      .sort(),
  );
});

test("matching Pods are adopted; one that no longer matches is released and replaced", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "stray", labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "app:1" }] },
  });
  await cluster.settle();
  await cluster.create(sets, replicaSet(2));
  await cluster.settle();
  assert.equal((await cluster.list("pods")).length, 2);
  assert.equal((await cluster.read("pods", "stray")).metadata.ownerReferences?.[0]?.name, "web");

  await cluster.patch("pods", "stray", { metadata: { labels: { app: "other" } } });
  await cluster.settle();
  assert.equal((await cluster.read("pods", "stray")).metadata.ownerReferences, undefined);
  assert.equal((await cluster.list("pods")).length, 3);
  assert.equal(fieldsAt(await cluster.read(sets, "web"), "status")["replicas"], 2);
});

test("a later orphan is adopted, and a surplus Pod is deleted", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(sets, replicaSet(2));
  await cluster.settle();
  await cluster.create("pods", {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "late", labels: { app: "web" } },
    spec: { containers: [{ name: "main", image: "app:1" }] },
  });
  await cluster.settle();
  const pods = await cluster.list("pods");
  assert.equal(pods.length, 2);
  assert.ok(!namesOf(pods).includes("late"), "the one without a node is missed least");
});

test("scaling down ends first what is not ready", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(sets, replicaSet(2));
  await cluster.settle();
  const ready = namesOf(await cluster.list("pods"));
  await cluster.patch(sets, "web", { spec: { replicas: 4, template: appPodTemplate("app:1", { "sim.sluice.dev/ready-after": "never" }) } });
  await cluster.clock.advance(30_000);
  assert.equal((await cluster.list("pods")).length, 4);
  await cluster.patch(sets, "web", { spec: { replicas: 2 } });
  await cluster.clock.advance(30_000);
  assert.deepEqual(namesOf(await cluster.list("pods")), ready);
});

test("a quota lets some Pods through; the rest come when it is raised", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create("resourcequotas", {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "few" },
    spec: { hard: { pods: "2" } },
  });
  await cluster.settle();
  await cluster.create(sets, replicaSet(5));
  await cluster.clock.advance(10_000);
  assert.equal((await cluster.list("pods")).length, 2);
  const failure = findCondition(await cluster.read(sets, "web"), "ReplicaFailure", "True");
  assert.equal(failure?.reason, "FailedCreate");
  assert.match(
    failure?.message ?? "",
    /^pods "web-\w{5}" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2$/,
  );
  assert.ok((await cluster.events("ReplicaSet", "web")).some((line) => line.startsWith("Warning FailedCreate Error creating: pods ")));

  await cluster.patch("resourcequotas", "few", { spec: { hard: { pods: "9" } } });
  await cluster.settle();
  assert.equal((await cluster.list("pods")).length, 5);
  assert.equal(findCondition(await cluster.read(sets, "web"), "ReplicaFailure"), undefined);
});

test("a Pod is available when it has been ready for minReadySeconds", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(sets, replicaSet(1, { minReadySeconds: 20 }));
  await cluster.clock.advance(10_000);
  const early = fieldsAt(await cluster.read(sets, "web"), "status");
  assert.deepEqual([early["readyReplicas"], early["availableReplicas"]], [1, undefined]);
  await cluster.settle();
  const pod = (await cluster.list("pods"))[0]!;
  const readyAt = Date.parse(findCondition(pod, "Ready", "True")?.lastTransitionTime ?? "");
  assert.ok(cluster.clock.now() >= readyAt + 20_000);
  assert.equal(fieldsAt(await cluster.read(sets, "web"), "status")["availableReplicas"], 1);
});

test("a Pod that is deleted is replaced at once and counted as terminating", async () => {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(sets, replicaSet(1, { template: appPodTemplate("app:1", { "sim.sluice.dev/terminate-after": "5s" }) }));
  await cluster.settle();
  const [first] = namesOf(await cluster.list("pods"));
  await cluster.delete("pods", first!);
  await cluster.clock.advance(1000);
  assert.equal((await cluster.list("pods")).length, 2);
  assert.equal(fieldsAt(await cluster.read(sets, "web"), "status")["terminatingReplicas"], 1);
  await cluster.settle();
  assert.equal((await cluster.list("pods")).length, 1);
  assert.equal(fieldsAt(await cluster.read(sets, "web"), "status")["terminatingReplicas"], 0);
});

test("a ReplicationController does the same by its plain selector", async () => {
  const cluster = new EmbeddedTestCluster();
  const spec = { replicas: 2, selector: { app: "web" }, template: appPodTemplate("app:1") };
  await cluster.create("replicationcontrollers", { apiVersion: "v1", kind: "ReplicationController", metadata: { name: "old" }, spec });
  await cluster.settle();
  const status = { replicas: 2, fullyLabeledReplicas: 2, readyReplicas: 2, availableReplicas: 2, observedGeneration: 1 };
  assert.deepEqual((await cluster.read("replicationcontrollers", "old"))["status"], status);
  assert.equal(stringAt((await cluster.list("pods"))[0], "metadata.generateName"), "old-");
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsAt, listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { EmbeddedTestCluster, appSelector, appPodTemplate } from "../../../../test/support/embedded/embedded-test-cluster.ts";

const sets = "statefulsets.apps";
const claims = "persistentvolumeclaims";

const storage = [
  {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
];

function statefulSet(replicas: number, spec: object = {}): object {
  const whole = { replicas, serviceName: "web", selector: appSelector, template: appPodTemplate("app:1"), ...spec };
  return { apiVersion: "apps/v1", kind: "StatefulSet", metadata: { name: "web" }, spec: whole };
}

async function settled(replicas: number, spec: object = {}): Promise<EmbeddedTestCluster> {
  const cluster = new EmbeddedTestCluster();
  await cluster.create(sets, statefulSet(replicas, spec));
  await cluster.settle();
  return cluster;
}

const setImage = (cluster: EmbeddedTestCluster, image: string, spec: object = {}) =>
  cluster.patch(sets, "web", { spec: { template: appPodTemplate(image), ...spec } });
const imageOf = (pod: KubeObject) => stringAt(listAt(pod, "spec.containers")[0], "image", "");
/** `web-0=app:1 web-1=app:2` */
const pods = async (cluster: EmbeddedTestCluster) =>
  (await cluster.list("pods")).map((pod) => `${pod.metadata.name}=${imageOf(pod)}`).join(" ");
const verbs = async (cluster: EmbeddedTestCluster) =>
  (await cluster.events("StatefulSet", "web")).flatMap(
    (line) => /^Normal \w+ (Create|Delete) Pod (\S+) in StatefulSet web successful$/.exec(line)?.slice(1).join(" ") ?? [],
  );

test("Pods come one after the other, each with its name, labels and volume", async () => {
  const cluster = await settled(3, { volumeClaimTemplates: storage });
  assert.deepEqual(await verbs(cluster), ["Create web-0", "Create web-1", "Create web-2"]);
  const all = await cluster.list("pods");
  const times = all.map(({ metadata }) => metadata.creationTimestamp!);
  assert.deepEqual(times, [...new Set(times)].sort(), "no two at once");
  const { revision } = { revision: stringAt(await cluster.read(sets, "web"), "status.updateRevision")! };
  assert.match(revision, /^web-[456789bcdf]{6,10}$/);
  for (const [ordinal, pod] of all.entries()) {
    const name = `web-${ordinal}`;
    const {
      "statefulset.kubernetes.io/pod-name": ofName,
      "apps.kubernetes.io/pod-index": index,
      "controller-revision-hash": hash,
    } = pod.metadata.labels ?? {};
    assert.deepEqual([ofName, index, hash], [name, String(ordinal), revision]);
    assert.deepEqual([stringAt(pod, "spec.hostname"), stringAt(pod, "spec.subdomain")], [name, "web"]);
    assert.deepEqual(listAt(pod, "spec.volumes")[0], { name: "data", persistentVolumeClaim: { claimName: `data-${name}` } });
  }
  assert.deepEqual(
    (await cluster.list(claims)).map(({ metadata }) => [metadata.name, metadata.labels, metadata.ownerReferences]),
    [
      ["data-web-0", { app: "web" }, undefined],
      ["data-web-1", { app: "web" }, undefined],
      ["data-web-2", { app: "web" }, undefined],
    ],
  );
  assert.ok(
    (await cluster.events("StatefulSet", "web")).includes(
      "Normal SuccessfulCreate Create Claim data-web-0 Pod web-0 in StatefulSet web success",
    ),
  );
  const counts = { replicas: 3, readyReplicas: 3, availableReplicas: 3, currentReplicas: 3, updatedReplicas: 3 };
  assert.deepEqual(fieldsAt(await cluster.read(sets, "web"), "status"), {
    observedGeneration: 1,
    ...counts,
    currentRevision: revision,
    updateRevision: revision,
    collisionCount: 0,
  });
});

test("a Pod that does not get ready holds up the next, in order but not in parallel", async () => {
  const never = appPodTemplate("app:1", { "sim.sluice.dev/ready-after": "never" });
  for (const [policy, expected] of [
    ["OrderedReady", "web-0=app:1"],
    ["Parallel", "web-0=app:1 web-1=app:1 web-2=app:1"],
  ] as const) {
    const cluster = new EmbeddedTestCluster();
    await cluster.create(sets, statefulSet(3, { podManagementPolicy: policy, template: never }));
    await cluster.clock.advance(60_000);
    assert.equal(await pods(cluster), expected);
  }
});

test("an update replaces Pods in reverse order, and ends with one current revision", async () => {
  const cluster = await settled(3);
  const before = stringAt(await cluster.read(sets, "web"), "status.currentRevision");
  await setImage(cluster, "app:2");
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:2 web-1=app:2 web-2=app:2");
  const times = (await cluster.list("pods")).map(({ metadata }) => metadata.creationTimestamp!);
  assert.deepEqual(times, [...new Set(times)].sort().reverse(), "one after the other, from the end");
  const status = fieldsAt(await cluster.read(sets, "web"), "status");
  assert.equal(status["currentRevision"], status["updateRevision"]);
  assert.notEqual(status["currentRevision"], before);
  const revisions = await cluster.list("controllerrevisions.apps");
  assert.deepEqual(revisions.map((revision) => revision["revision"]).sort(), [1, 2]);
});

test("a template that comes back gets its revision back, under a new number", async () => {
  const cluster = await settled(1);
  const first = stringAt(await cluster.read(sets, "web"), "status.currentRevision")!;
  for (const image of ["app:2", "app:1"]) {
    await setImage(cluster, image);
    await cluster.settle();
  }
  assert.equal(stringAt(await cluster.read(sets, "web"), "status.currentRevision"), first);
  assert.equal(numberAt(await cluster.read("controllerrevisions.apps", first), "revision"), 3);
});

const partition = (count: number) => ({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: count } } });

test("below the partition Pods keep the current revision, even when recreated", async () => {
  const cluster = await settled(3);
  await setImage(cluster, "app:2", partition(2));
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:1 web-1=app:1 web-2=app:2");
  const status = fieldsAt(await cluster.read(sets, "web"), "status");
  assert.deepEqual([status["currentReplicas"], status["updatedReplicas"]], [2, 1]);
  await cluster.delete("pods", "web-0");
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:1 web-1=app:1 web-2=app:2");
  await cluster.patch(sets, "web", { spec: partition(0) });
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:2 web-1=app:2 web-2=app:2");
});

test("a bad image stops the update at the last Pod", async () => {
  const cluster = await settled(3);
  await setImage(cluster, "app:missing");
  await cluster.clock.advance(600_000);
  assert.equal(await pods(cluster), "web-0=app:1 web-1=app:1 web-2=app:missing");
});

test("OnDelete updates a Pod when it is deleted", async () => {
  const cluster = await settled(2, { updateStrategy: { type: "OnDelete" } });
  await setImage(cluster, "app:2");
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:1 web-1=app:1");
  await cluster.delete("pods", "web-0");
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:2 web-1=app:1");
});

test("ordinals begin at spec.ordinals.start, and scaling down deletes the highest", async () => {
  const cluster = await settled(3, { ordinals: { start: 5 } });
  assert.equal(await pods(cluster), "web-5=app:1 web-6=app:1 web-7=app:1");
  await cluster.patch(sets, "web", { spec: { replicas: 1 } });
  await cluster.settle();
  assert.deepEqual((await verbs(cluster)).slice(3), ["Delete web-7", "Delete web-6"]);
  await cluster.patch(sets, "web", { spec: { ordinals: { start: 6 } } });
  await cluster.settle();
  assert.equal(await pods(cluster), "web-6=app:1");
});

const policy = (whenScaled: string, whenDeleted: string) => ({
  volumeClaimTemplates: storage,
  persistentVolumeClaimRetentionPolicy: { whenScaled, whenDeleted },
});

test("claims are kept or deleted by the retention policy", async () => {
  // How many of two claims are left after scaling to one Pod, and after deleting the set.
  for (const [whenScaled, whenDeleted, scaled, deleted] of [
    ["Retain", "Retain", 2, 2],
    ["Delete", "Retain", 1, 1],
    ["Retain", "Delete", 2, 0],
    ["Delete", "Delete", 1, 0],
  ] as const) {
    const cluster = await settled(2, policy(whenScaled, whenDeleted));
    await cluster.patch(sets, "web", { spec: { replicas: 1 } });
    await cluster.settle();
    assert.equal((await cluster.list(claims)).length, scaled, `scaled: ${whenScaled} ${whenDeleted}`);
    await cluster.delete(sets, "web");
    await cluster.settle();
    assert.equal((await cluster.list(claims)).length, deleted, `deleted: ${whenScaled} ${whenDeleted}`);
  }
});

test("a Pod that has failed is ended and made anew", async () => {
  const cluster = await settled(1);
  const first = await cluster.read("pods", "web-0");
  await cluster.patch("pods", "web-0/status", { status: { phase: "Failed" } });
  await cluster.settle();
  const second = await cluster.read("pods", "web-0");
  assert.notEqual(second.metadata.uid, first.metadata.uid);
  assert.equal(stringAt(second, "status.phase"), "Running");
  assert.ok((await verbs(cluster)).includes("Delete web-0"));
});

test("a Pod scaled away and back gets a new volume when the policy deletes claims", async () => {
  const cluster = await settled(2, policy("Delete", "Retain"));
  const first = (await cluster.read(claims, "data-web-1")).metadata.uid;
  await cluster.patch(sets, "web", { spec: { replicas: 1 } });
  await cluster.clock.advance(100);
  await cluster.patch(sets, "web", { spec: { replicas: 2 } });
  await cluster.settle();
  assert.equal(await pods(cluster), "web-0=app:1 web-1=app:1");
  assert.notEqual((await cluster.read(claims, "data-web-1")).metadata.uid, first);
});

test("the next Pod comes when the one before has been ready for minReadySeconds", async () => {
  const cluster = await settled(2, { minReadySeconds: 30 });
  const [first, second] = (await cluster.list("pods")).map(({ metadata }) => Date.parse(metadata.creationTimestamp!));
  assert.ok(second! - first! >= 30_000, `${second! - first!} ms`);
  assert.equal(numberAt(await cluster.read(sets, "web"), "status.availableReplicas"), 2);
});

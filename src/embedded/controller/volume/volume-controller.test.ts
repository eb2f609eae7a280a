import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt, stringAt } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

const steady = { match: {}, pull: "1s", start: 0, terminate: "1s", bind: "3s" };

function claim(name: string, spec: object = {}) {
  const base = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
  return { metadata: { name }, spec: { ...base, ...spec } };
}

function consumer(name: string, claimName: string) {
  const volumes = [{ name: "data", persistentVolumeClaim: { claimName } }];
  return { metadata: { name }, spec: { volumes, containers: [{ name: "c", image: "app:1" }] } };
}

function lazyClass(harness: ControllerHarness): void {
  const lazy = {
    metadata: { name: "lazy" },
    provisioner: "example.com/disk",
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
  };
  harness.create("storageclasses.storage.k8s.io", lazy, "storage.k8s.io/v1", "StorageClass");
}

test("a claim gets a volume of its own, after a while", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  const made = harness.create("persistentvolumeclaims", claim("data"));
  await harness.clock.advance(2900);
  assert.equal(stringAt(harness.read("persistentvolumeclaims", "data"), "status.phase"), "Pending");
  await harness.settle();
  const data = harness.read("persistentvolumeclaims", "data");
  const volume = `pvc-${made.metadata.uid}`;
  assert.deepEqual(data["status"], { phase: "Bound", accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } });
  assert.equal(stringAt(data, "spec.volumeName"), volume);
  assert.deepEqual(data.metadata.annotations, {
    "pv.kubernetes.io/bind-completed": "yes",
    "pv.kubernetes.io/bound-by-controller": "yes",
    "volume.beta.kubernetes.io/storage-provisioner": "sim.sluice.dev/volume",
    "volume.kubernetes.io/storage-provisioner": "sim.sluice.dev/volume",
  });
  const bound = harness.read("persistentvolumes", volume);
  assert.equal(stringAt(bound, "status.phase"), "Bound");
  assert.equal(stringAt(bound, "spec.claimRef.uid"), made.metadata.uid);
});

test("a claim takes a volume that was made by hand, and gives it back", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  const spec = {
    capacity: { storage: "5Gi" },
    accessModes: ["ReadWriteOnce"],
    storageClassName: "",
    persistentVolumeReclaimPolicy: "Retain",
    hostPath: { path: "/d" },
  };
  harness.create("persistentvolumes", { metadata: { name: "disk" }, spec });
  await harness.settle();
  assert.equal(stringAt(harness.read("persistentvolumes", "disk"), "status.phase"), "Available");
  harness.create("persistentvolumeclaims", claim("data", { storageClassName: "" }));
  await harness.settle();
  assert.equal(stringAt(harness.read("persistentvolumeclaims", "data"), "spec.volumeName"), "disk");
  assert.deepEqual(fieldsAt(harness.read("persistentvolumeclaims", "data"), "status.capacity"), { storage: "5Gi" });
  assert.equal(harness.read("persistentvolumes", "disk").metadata.annotations?.["pv.kubernetes.io/bound-by-controller"], "yes");
  harness.api.delete("persistentvolumeclaims", "default", "data");
  await harness.settle();
  assert.equal(harness.names("persistentvolumeclaims"), "");
  assert.equal(stringAt(harness.read("persistentvolumes", "disk"), "status.phase"), "Released");
});

test("a provisioned volume is deleted with its claim", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("persistentvolumeclaims", claim("data"));
  await harness.settle();
  harness.api.delete("persistentvolumeclaims", "default", "data");
  await harness.settle();
  assert.equal(harness.names("persistentvolumeclaims"), "");
  assert.equal(harness.names("persistentvolumes"), "");
});

test("a claim in use stays until its pod is gone", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("persistentvolumeclaims", claim("data"));
  harness.create("pods", consumer("web", "data"));
  await harness.settle();
  assert.equal(stringAt(harness.read("pods", "web"), "status.phase"), "Running");
  harness.api.delete("persistentvolumeclaims", "default", "data");
  await harness.settle();
  assert.equal(harness.names("persistentvolumeclaims"), "data");
  harness.api.delete("pods", "default", "web");
  await harness.settle();
  assert.equal(harness.names("persistentvolumeclaims"), "");
});

test("a claim that waits for its first consumer is bound where that will run", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  lazyClass(harness);
  harness.create("persistentvolumeclaims", claim("data", { storageClassName: "lazy" }));
  await harness.settle();
  assert.equal(stringAt(harness.read("persistentvolumeclaims", "data"), "status.phase"), "Pending");
  assert.ok(
    harness.events.includes("PersistentVolumeClaim/data WaitForFirstConsumer: waiting for first consumer to be created before binding"),
  );
  harness.create("pods", consumer("web", "data"));
  await harness.settle();
  const data = harness.read("persistentvolumeclaims", "data");
  assert.equal(data.metadata.annotations?.["volume.kubernetes.io/selected-node"], "node-1");
  assert.equal(stringAt(data, "status.phase"), "Bound");
  assert.equal(stringAt(harness.read("pods", "web"), "status.phase"), "Running");
});

const pending: Record<string, { rules?: object[]; spec?: object; event: string; pod: RegExp }> = {
  "no class and no volume": {
    spec: { storageClassName: "" },
    event: "PersistentVolumeClaim/data FailedBinding: no persistent volumes available for this claim and no storage class is set",
    pod: /^0\/1 nodes are available: pod has unbound immediate PersistentVolumeClaims\. /,
  },
  "a class that is not there": {
    spec: { storageClassName: "gold" },
    event: 'PersistentVolumeClaim/data ProvisioningFailed: storageclass.storage.k8s.io "gold" not found',
    pod: /^0\/1 nodes are available: pod has unbound immediate PersistentVolumeClaims\. /,
  },
  "a rule that keeps it so": {
    rules: [{ match: { kind: "PersistentVolumeClaim" }, bind: { never: "out of disks" } }],
    event: "PersistentVolumeClaim/data ProvisioningFailed: out of disks",
    pod: /^0\/1 nodes are available: pod has unbound immediate PersistentVolumeClaims\. /,
  },
};

for (const [name, { rules = [], spec = {}, event, pod }] of Object.entries(pending)) {
  test(`a claim stays pending: ${name}`, async () => {
    const harness = new ControllerHarness({ rules: [...rules, steady] });
    harness.create("persistentvolumeclaims", claim("data", spec));
    harness.create("pods", consumer("web", "data"));
    await harness.settle();
    assert.equal(stringAt(harness.read("persistentvolumeclaims", "data"), "status.phase"), "Pending");
    assert.ok(harness.events.includes(event), harness.events.join("\n"));
    assert.match(findCondition(harness.read("pods", "web"), "PodScheduled")?.message ?? "", pod);
  });
}

test("a pod whose claim is missing is unschedulable", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("pods", consumer("web", "data"));
  await harness.settle();
  const why = findCondition(harness.read("pods", "web"), "PodScheduled")?.message ?? "";
  assert.match(why, /^0\/1 nodes are available: persistentvolumeclaim "data" not found\. /);
});

test("a pod's ephemeral volume is created and deleted with it", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  const template = { metadata: { labels: { for: "web" } }, spec: claim("").spec };
  const volumes = [{ name: "scratch", ephemeral: { volumeClaimTemplate: template } }];
  const web = harness.create("pods", { metadata: { name: "web" }, spec: { volumes, containers: [{ name: "c", image: "app:1" }] } });
  await harness.settle();
  assert.equal(stringAt(harness.read("pods", "web"), "status.phase"), "Running");
  const made = harness.read("persistentvolumeclaims", "web-scratch");
  assert.equal(made.metadata.ownerReferences?.[0]?.uid, web.metadata.uid);
  assert.deepEqual(made.metadata.labels, { for: "web" });
  harness.api.delete("pods", "default", "web");
  await harness.settle();
  assert.equal(harness.names("persistentvolumeclaims"), "");
});

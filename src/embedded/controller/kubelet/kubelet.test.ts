import assert from "node:assert/strict";
import { test } from "node:test";
import { condition, fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { Lab } from "../../../../test/support/embedded/controller-lab.ts";

const steady = { match: {}, pull: "1s", start: 0, terminate: "2s" };

function pod(name: string, spec: object = {}, metadata: object = {}) {
  return { metadata: { name, labels: { app: "web" }, ...metadata }, spec: { containers: [{ name: "c", image: "app:1" }], ...spec } };
}

function phaseOf(object: KubeObject): string {
  return stringAt(object, "status.phase", "");
}

test("a pod is placed, pulled, started and ready, and each step is told", async () => {
  const lab = new Lab({ rules: [steady] });
  lab.create("pods", pod("web"));
  await lab.settle();
  const web = lab.read("pods", "web");
  assert.equal(phaseOf(web), "Running");
  assert.equal(stringAt(web, "spec.nodeName"), "node-1");
  assert.equal(condition(web, "Ready")?.status, "True");
  assert.equal(stringAt(web, "status.podIP"), "10.244.0.1");
  assert.deepEqual(
    lab.told.map((line) => line.split(":")[0]),
    ["Pod/web Scheduled", "Pod/web Pulling", "Pod/web Pulled", "Pod/web Created", "Pod/web Started"],
  );
});

test("a deleted pod goes when its container has stopped", async () => {
  const lab = new Lab({ rules: [steady] });
  lab.create("pods", pod("web"));
  await lab.settle();
  const before = lab.seconds;
  lab.api.delete("pods", "default", "web");
  assert.equal(phaseOf(lab.read("pods", "web")), "Running");
  await lab.settle();
  assert.equal(lab.api.read("pods", "default", "web"), undefined);
  assert.ok(lab.seconds - before >= 2 && lab.seconds - before < 2.1, String(lab.seconds - before));
});

test("addresses are given once, and again only after the others", async () => {
  const lab = new Lab({ rules: [steady] });
  lab.create("pods", pod("a"));
  await lab.settle();
  lab.api.delete("pods", "default", "a", { graceSeconds: 0 });
  lab.create("pods", pod("b"));
  lab.create("pods", pod("c"));
  await lab.settle();
  const addresses = ["b", "c"].map((name) => stringAt(lab.read("pods", name), "status.podIP"));
  assert.deepEqual(addresses.toSorted(), ["10.244.0.2", "10.244.0.3"]);
});

test("a pod that names a node nobody knows stays as it is", async () => {
  const lab = new Lab({ rules: [steady] });
  lab.create("pods", pod("web", { nodeName: "elsewhere" }));
  await lab.settle();
  assert.equal(phaseOf(lab.read("pods", "web")), "Pending");
  lab.api.delete("pods", "default", "web");
  await lab.settle();
  assert.equal(lab.names("pods"), "");
});

test("a node is ready, and has a lease", () => {
  const lab = new Lab({ nodes: [{ name: "node-1" }, { name: "node-2", labels: { disk: "ssd" }, capacity: { cpu: "2" } }] });
  assert.equal(lab.names("nodes"), "node-1 node-2");
  const node = lab.read("nodes", "node-2");
  assert.equal(condition(node, "Ready")?.status, "True");
  assert.equal(fieldsAt(node, "status.allocatable")["cpu"], "2");
  assert.equal(node.metadata.labels?.["disk"], "ssd");
  assert.equal(lab.names("leases.coordination.k8s.io", "kube-node-lease"), "node-1 node-2");
});

test("a Node made by hand becomes a machine, and a cordoned one takes no pods", async () => {
  const lab = new Lab({ rules: [steady], nodes: [] });
  lab.create("nodes", { metadata: { name: "extra" } }, "v1", "Node");
  await lab.settle();
  const extra = lab.read("nodes", "extra");
  assert.equal(condition(extra, "Ready")?.status, "True");
  assert.deepEqual(listAt(extra, "spec.taints"), []);
  lab.api.update("nodes", { ...extra, spec: { unschedulable: true } }, "test");
  lab.create("pods", pod("web"));
  await lab.settle();
  assert.deepEqual(listAt(lab.read("nodes", "extra"), "spec.taints"), [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]);
  assert.match(condition(lab.read("pods", "web"), "PodScheduled")?.message ?? "", /1 node\(s\) were unschedulable/);
  lab.api.update("nodes", { ...lab.read("nodes", "extra"), spec: {} }, "test");
  await lab.settle();
  assert.equal(phaseOf(lab.read("pods", "web")), "Running");
});

test("a pod waits for room, and takes it when there is some", async () => {
  const lab = new Lab({ rules: [steady], nodes: [{ name: "node-1", capacity: { cpu: "1" } }] });
  const greedy = { containers: [{ name: "c", image: "app:1", resources: { requests: { cpu: "800m" } } }] };
  lab.create("pods", pod("first", greedy));
  lab.create("pods", pod("second", greedy));
  await lab.settle();
  const waiting = condition(lab.read("pods", "second"), "PodScheduled");
  assert.deepEqual([waiting?.status, waiting?.reason], ["False", "Unschedulable"]);
  assert.match(waiting?.message ?? "", /^0\/1 nodes are available: 1 Insufficient cpu\. .*No preemption victims found for incoming pod\.$/);
  lab.api.delete("pods", "default", "first");
  await lab.settle();
  assert.equal(phaseOf(lab.read("pods", "second")), "Running");
});

test("rules hold a pod back, for a while or for good", async () => {
  const lab = new Lab({
    rules: [
      { ...steady, match: { name: "never" }, schedule: { never: "node(s) had no GPU" } },
      { ...steady, match: { name: "later" }, schedule: "30s" },
    ],
  });
  lab.create("pods", pod("never"));
  lab.create("pods", pod("later"));
  await lab.clock.advance(29_000);
  assert.equal(stringAt(lab.read("pods", "later"), "spec.nodeName"), undefined);
  await lab.settle();
  assert.equal(phaseOf(lab.read("pods", "later")), "Running");
  const why = condition(lab.read("pods", "never"), "PodScheduled")?.message ?? "";
  assert.match(why, /^0\/1 nodes are available: 1 node\(s\) had no GPU\. /);
});

const settings = { metadata: { name: "settings" }, data: { colour: "blue" } };
const mounting = { volumes: [{ name: "config", configMap: { name: "settings" } }] };
const reading = (key: string) => {
  const env = [{ name: "COLOUR", valueFrom: { configMapKeyRef: { name: "settings", key } } }];
  return { containers: [{ name: "c", image: "app:1", env }] };
};

const missing: Record<string, { spec: object; waiting: object; told: string }> = {
  "a volume": {
    spec: mounting,
    waiting: { reason: "ContainerCreating" },
    told: 'Pod/web FailedMount: MountVolume.SetUp failed for volume "config" : configmap "settings" not found',
  },
  "an environment": {
    spec: reading("colour"),
    waiting: { reason: "CreateContainerConfigError", message: 'configmap "settings" not found' },
    told: 'Pod/web Failed: Error: configmap "settings" not found',
  },
};

for (const [name, { spec, waiting, told }] of Object.entries(missing)) {
  test(`a pod waits for the ConfigMap of ${name}, and goes on when it comes`, async () => {
    const lab = new Lab({ rules: [steady] });
    lab.create("pods", pod("web", spec));
    await lab.settle();
    assert.equal(phaseOf(lab.read("pods", "web")), "Pending");
    const [status] = listAt(lab.read("pods", "web"), "status.containerStatuses");
    assert.deepEqual(fieldsAt(status, "state.waiting"), waiting);
    assert.ok(lab.told.includes(told), lab.told.join("\n"));
    lab.create("configmaps", settings);
    await lab.settle();
    assert.equal(phaseOf(lab.read("pods", "web")), "Running");
  });
}

test("a key that is missing is named", async () => {
  const lab = new Lab({ rules: [steady] });
  lab.create("configmaps", settings);
  lab.create("pods", pod("web", reading("size")));
  await lab.settle();
  assert.ok(lab.told.includes("Pod/web Failed: Error: couldn't find key size in ConfigMap default/settings"), lab.told.join("\n"));
});

test("the first pod of a new cluster finds its node ready", async () => {
  const lab = new Lab();
  lab.create("pods", { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "app:1" }] } });
  await lab.clock.advance(1000);
  assert.deepEqual(
    lab.told.filter((line) => line.includes("Schedul")),
    ["Pod/a Scheduled: Successfully assigned default/a to node-1"],
  );
});

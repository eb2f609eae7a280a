import assert from "node:assert/strict";
import { test } from "node:test";
import { findCondition, fieldsAt, listAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { ControllerHarness } from "../../../../test/support/embedded/controller-harness.ts";

const steady = { match: {}, pull: "1s", start: 0, terminate: "2s" };

function pod(name: string, spec: object = {}, metadata: object = {}) {
  return { metadata: { name, labels: { app: "web" }, ...metadata }, spec: { containers: [{ name: "c", image: "app:1" }], ...spec } };
}

function phaseOf(object: KubeObject): string {
  return stringAt(object, "status.phase", "");
}

test("a pod is scheduled, pulled, started and ready, and each step is an event", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("pods", pod("web"));
  await harness.settle();
  const web = harness.read("pods", "web");
  assert.equal(phaseOf(web), "Running");
  assert.equal(stringAt(web, "spec.nodeName"), "node-1");
  assert.equal(findCondition(web, "Ready")?.status, "True");
  assert.equal(stringAt(web, "status.podIP"), "10.244.0.1");
  assert.deepEqual(
    harness.events.map((line) => line.split(":")[0]),
    ["Pod/web Scheduled", "Pod/web Pulling", "Pod/web Pulled", "Pod/web Created", "Pod/web Started"],
  );
});

test("a deleted pod is removed when its container has stopped", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("pods", pod("web"));
  await harness.settle();
  const before = harness.seconds;
  harness.api.delete("pods", "default", "web");
  assert.equal(phaseOf(harness.read("pods", "web")), "Running");
  await harness.settle();
  assert.equal(harness.api.read("pods", "default", "web"), undefined);
  assert.ok(harness.seconds - before >= 2 && harness.seconds - before < 2.1, String(harness.seconds - before));
});

test("addresses are given once, and again only after the others", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("pods", pod("a"));
  await harness.settle();
  harness.api.delete("pods", "default", "a", { graceSeconds: 0 });
  harness.create("pods", pod("b"));
  harness.create("pods", pod("c"));
  await harness.settle();
  const addresses = ["b", "c"].map((name) => stringAt(harness.read("pods", name), "status.podIP"));
  assert.deepEqual(addresses.toSorted(), ["10.244.0.2", "10.244.0.3"]);
});

test("a pod of an unknown node is not changed", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("pods", pod("web", { nodeName: "elsewhere" }));
  await harness.settle();
  assert.equal(phaseOf(harness.read("pods", "web")), "Pending");
  harness.api.delete("pods", "default", "web");
  await harness.settle();
  assert.equal(harness.names("pods"), "");
});

test("a node is ready, and has a lease", () => {
  const harness = new ControllerHarness({
    nodes: [{ name: "node-1" }, { name: "node-2", labels: { disk: "ssd" }, capacity: { cpu: "2" } }],
  });
  assert.equal(harness.names("nodes"), "node-1 node-2");
  const node = harness.read("nodes", "node-2");
  assert.equal(findCondition(node, "Ready")?.status, "True");
  assert.equal(fieldsAt(node, "status.allocatable")["cpu"], "2");
  assert.equal(node.metadata.labels?.["disk"], "ssd");
  assert.equal(harness.names("leases.coordination.k8s.io", "kube-node-lease"), "node-1 node-2");
});

test("a Node made by hand becomes a machine, and a cordoned one takes no pods", async () => {
  const harness = new ControllerHarness({ rules: [steady], nodes: [] });
  harness.create("nodes", { metadata: { name: "extra" } }, "v1", "Node");
  await harness.settle();
  const extra = harness.read("nodes", "extra");
  assert.equal(findCondition(extra, "Ready")?.status, "True");
  assert.deepEqual(listAt(extra, "spec.taints"), []);
  harness.api.update("nodes", { ...extra, spec: { unschedulable: true } }, "test");
  harness.create("pods", pod("web"));
  await harness.settle();
  assert.deepEqual(listAt(harness.read("nodes", "extra"), "spec.taints"), [
    { key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" },
  ]);
  assert.match(findCondition(harness.read("pods", "web"), "PodScheduled")?.message ?? "", /1 node\(s\) were unschedulable/);
  harness.api.update("nodes", { ...harness.read("nodes", "extra"), spec: {} }, "test");
  await harness.settle();
  assert.equal(phaseOf(harness.read("pods", "web")), "Running");
});

test("a pod waits for room, and takes it when there is some", async () => {
  const harness = new ControllerHarness({ rules: [steady], nodes: [{ name: "node-1", capacity: { cpu: "1" } }] });
  const greedy = { containers: [{ name: "c", image: "app:1", resources: { requests: { cpu: "800m" } } }] };
  harness.create("pods", pod("first", greedy));
  harness.create("pods", pod("second", greedy));
  await harness.settle();
  const waiting = findCondition(harness.read("pods", "second"), "PodScheduled");
  assert.deepEqual([waiting?.status, waiting?.reason], ["False", "Unschedulable"]);
  assert.match(waiting?.message ?? "", /^0\/1 nodes are available: 1 Insufficient cpu\. .*No preemption victims found for incoming pod\.$/);
  harness.api.delete("pods", "default", "first");
  await harness.settle();
  assert.equal(phaseOf(harness.read("pods", "second")), "Running");
});

test("rules hold a pod back, for a while or for good", async () => {
  const harness = new ControllerHarness({
    rules: [
      { ...steady, match: { name: "never" }, schedule: { never: "node(s) had no GPU" } },
      { ...steady, match: { name: "later" }, schedule: "30s" },
    ],
  });
  harness.create("pods", pod("never"));
  harness.create("pods", pod("later"));
  await harness.clock.advance(29_000);
  assert.equal(stringAt(harness.read("pods", "later"), "spec.nodeName"), undefined);
  await harness.settle();
  assert.equal(phaseOf(harness.read("pods", "later")), "Running");
  const why = findCondition(harness.read("pods", "never"), "PodScheduled")?.message ?? "";
  assert.match(why, /^0\/1 nodes are available: 1 node\(s\) had no GPU\. /);
});

const settings = { metadata: { name: "settings" }, data: { colour: "blue" } };
const mounting = { volumes: [{ name: "config", configMap: { name: "settings" } }] };
const reading = (key: string) => {
  const env = [{ name: "COLOUR", valueFrom: { configMapKeyRef: { name: "settings", key } } }];
  return { containers: [{ name: "c", image: "app:1", env }] };
};

const missing: Record<string, { spec: object; waiting: object; event: string }> = {
  "a volume": {
    spec: mounting,
    waiting: { reason: "ContainerCreating" },
    event: 'Pod/web FailedMount: MountVolume.SetUp failed for volume "config" : configmap "settings" not found',
  },
  "an environment": {
    spec: reading("colour"),
    waiting: { reason: "CreateContainerConfigError", message: 'configmap "settings" not found' },
    event: 'Pod/web Failed: Error: configmap "settings" not found',
  },
};

for (const [name, { spec, waiting, event }] of Object.entries(missing)) {
  test(`a pod waits for the ConfigMap of ${name}, and goes on when it comes`, async () => {
    const harness = new ControllerHarness({ rules: [steady] });
    harness.create("pods", pod("web", spec));
    await harness.settle();
    assert.equal(phaseOf(harness.read("pods", "web")), "Pending");
    const [status] = listAt(harness.read("pods", "web"), "status.containerStatuses");
    assert.deepEqual(fieldsAt(status, "state.waiting"), waiting);
    assert.ok(harness.events.includes(event), harness.events.join("\n"));
    harness.create("configmaps", settings);
    await harness.settle();
    assert.equal(phaseOf(harness.read("pods", "web")), "Running");
  });
}

test("a key that is missing is named", async () => {
  const harness = new ControllerHarness({ rules: [steady] });
  harness.create("configmaps", settings);
  harness.create("pods", pod("web", reading("size")));
  await harness.settle();
  assert.ok(
    harness.events.includes("Pod/web Failed: Error: couldn't find key size in ConfigMap default/settings"),
    harness.events.join("\n"),
  );
});

test("the first pod of a new cluster finds its node ready", async () => {
  const harness = new ControllerHarness();
  harness.create("pods", { metadata: { name: "a" }, spec: { containers: [{ name: "c", image: "app:1" }] } });
  await harness.clock.advance(1000);
  assert.deepEqual(
    harness.events.filter((line) => line.includes("Schedul")),
    ["Pod/a Scheduled: Successfully assigned default/a to node-1"],
  );
});

const asking = (requests: object) => [{ name: "c", image: "app:1", resources: { requests } }];
const infeasible = (what: string) => ["True", "Infeasible", `Node didn't have enough capacity: ${what}`, "1"];

test("a resize beyond the node's capacity is infeasible, and one within it is done", async () => {
  const harness = new ControllerHarness({
    rules: [steady],
    nodes: [{ name: "node-1", capacity: { cpu: "4", memory: "8Gi", pods: "10" } }],
  });
  harness.create("pods", pod("web", { containers: asking({ cpu: "1", memory: "1Gi" }) }));
  await harness.settle();
  const resize = async (requests: object) => {
    const live = harness.read("pods", "web");
    harness.api.update("pods", { ...live, spec: { ...fieldsAt(live, "spec"), containers: asking(requests) } }, "test");
    await harness.settle();
    const next = harness.read("pods", "web");
    const { status, reason, message } = findCondition(next, "PodResizePending") ?? {};
    return [status, reason, message, fieldsAt(listAt(next, "status.containerStatuses")[0], "resources.requests")["cpu"]];
  };
  assert.deepEqual(await resize({ cpu: "5", memory: "1Gi" }), infeasible("cpu, requested: 5000, capacity: 4000"));
  assert.deepEqual(await resize({ cpu: "5", memory: "9Gi" }), infeasible("memory, requested: 9663676416, capacity: 8589934592"));
  assert.deepEqual(await resize({ cpu: "2", memory: "1Gi" }), [undefined, undefined, undefined, "2"]);
  const events = harness.events.filter((line) => line.startsWith("Pod/web ResizeInfeasible: Pod resize Infeasible: "));
  assert.equal(events.length, 2, harness.events.join("\n"));
});

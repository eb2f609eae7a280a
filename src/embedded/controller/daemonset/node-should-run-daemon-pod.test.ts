import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { nodeShouldRunDaemonPod } from "./node-should-run-daemon-pod.ts";
import { targetNode, daemonPodTemplate } from "./daemon-pod-template.ts";

const node = (taints: readonly object[] = [], labels: Readonly<Record<string, string>> = { color: "red", size: "4" }): KubeObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1", labels },
  spec: { taints },
});

const set = (spec: object): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: { name: "agent", annotations: { "deprecated.daemonset.template.generation": "1" } },
  spec: { template: { metadata: { labels: { app: "agent" } }, spec } },
});

const affinity = (...terms: readonly object[]) => ({
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
});
const taint = (effect: string, key = "dedicated") => ({ key, value: "db", effect });
const expression = (key: string, operator: string, ...values: string[]) => ({ matchExpressions: [{ key, operator, values }] });

// After TestNodeShouldRunDaemonPod and the taint tests of pkg/controller/daemon/daemon_controller_test.go
for (const [title, spec, on, shouldRun, shouldContinueRunning] of [
  ["any node", {}, node(), true, true],
  ["its own node by name", { nodeName: "n1" }, node(), true, true],
  ["another node by name", { nodeName: "n2" }, node(), false, false],
  ["a label it selects", { nodeSelector: { color: "red" } }, node(), true, true],
  ["a label it does not", { nodeSelector: { color: "blue" } }, node(), false, false],
  ["one of two terms", affinity(expression("color", "In", "blue"), expression("size", "Gt", "3")), node(), true, true],
  ["none of its terms", affinity(expression("color", "NotIn", "red")), node(), false, false],
  ["a term that asks nothing", affinity({}), node(), false, false],
  ["its name as a field", affinity({ matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] }), node(), true, true],
  ["a taint for new Pods", {}, node([taint("NoSchedule")]), false, true],
  ["a taint for all Pods", {}, node([taint("NoExecute")]), false, false],
  ["a taint that only discourages", {}, node([taint("PreferNoSchedule")]), true, true],
  [
    "a taint it tolerates",
    { tolerations: [{ key: "dedicated", operator: "Equal", value: "db", effect: "NoSchedule" }] },
    node([taint("NoSchedule")]),
    true,
    true,
  ],
  ["a taint of another value", { tolerations: [{ key: "dedicated", value: "web" }] }, node([taint("NoSchedule")]), false, true],
  ["everything tolerated", { tolerations: [{ operator: "Exists" }] }, node([taint("NoExecute"), taint("NoSchedule", "other")]), true, true],
  ["a node that is not ready", {}, node([{ key: "node.kubernetes.io/not-ready", effect: "NoExecute" }]), true, true],
  ["a cordoned node", {}, node([{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }]), true, true],
  ["a node without network", {}, node([{ key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" }]), false, true],
  [
    "the same for the host's network",
    { hostNetwork: true },
    node([{ key: "node.kubernetes.io/network-unavailable", effect: "NoSchedule" }]),
    true,
    true,
  ],
] as const) {
  test(`a daemon and ${title}`, () => assert.deepEqual(nodeShouldRunDaemonPod(on, set(spec)), { shouldRun, shouldContinueRunning }));
}

test("a daemon's Pod is pinned to its node, labelled with its template and tolerant of troubles", () => {
  const brief = { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 };
  const template = daemonPodTemplate(set({ ...affinity(expression("color", "In", "red")), tolerations: [brief] }), "abc", "n1");
  const pod: KubeObject = { apiVersion: "v1", kind: "Pod", metadata: { name: "p" }, ...template };
  assert.equal(targetNode(pod), "n1");
  assert.deepEqual(template["metadata"], { labels: { app: "agent", "pod-template-generation": "1", "controller-revision-hash": "abc" } });
  const spec = template["spec"] as { affinity: object; tolerations: { key: string }[] };
  const pin = { matchFields: [{ key: "metadata.name", operator: "In", values: ["n1"] }] };
  assert.deepEqual(spec.affinity, { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [pin] } } });
  const troubles = ["not-ready", "unreachable", "disk-pressure", "memory-pressure", "pid-pressure", "unschedulable"];
  assert.deepEqual(
    spec.tolerations.map(({ key }) => key),
    troubles.map((trouble) => `node.kubernetes.io/${trouble}`),
  );
  assert.deepEqual(spec.tolerations[0], { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" });
});

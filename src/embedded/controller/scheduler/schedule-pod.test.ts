import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { asPod, type Pod } from "../../behaviour/index.ts";
import { SchedulerCache } from "./scheduler-cache.ts";
import { schedulePod } from "./schedule-pod.ts";

const zone = "topology.kubernetes.io/zone";

function node(
  name: string,
  { labels = {}, spec = {}, allocatable = {} }: { labels?: object; spec?: object; allocatable?: object } = {},
): KubeObject {
  const all = { cpu: "2", memory: "4Gi", pods: "10", ...allocatable };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, ...labels } },
    spec,
    status: { allocatable: all },
  };
}

function pod(name: string, spec: object = {}, labels: Record<string, string> = { app: "web" }): Pod {
  return asPod({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace: "default", labels },
    spec: { containers: [{ name: "c", image: "app:1" }], ...spec },
  });
}

function asking(cpu: string): object {
  return { containers: [{ name: "c", image: "app:1", resources: { requests: { cpu } } }] };
}

const notHelpful = (nodes: number) =>
  `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;
const noVictims = (nodes: number) =>
  `no new claims to deallocate, preemption: 0/${nodes} nodes are available: ${nodes} No preemption victims found for incoming pod.`;

const web = { labelSelector: { matchLabels: { app: "web" } }, topologyKey: "kubernetes.io/hostname" };
const required = "requiredDuringSchedulingIgnoredDuringExecution";
const together = { affinity: { podAffinity: { [required]: [web] } } };
const apart = { affinity: { podAntiAffinity: { [required]: [web] } } };
const spread = (maxSkew: number) => ({
  topologySpreadConstraints: [
    { maxSkew, topologyKey: zone, whenUnsatisfiable: "DoNotSchedule", labelSelector: { matchLabels: { app: "web" } } },
  ],
});
const inTerms = (...matchExpressions: object[]) => ({
  affinity: { nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchExpressions }] } } },
});

/** `there`: pods by the node they are on. */
const cases: Record<string, { nodes: KubeObject[]; there?: Record<string, Pod[]>; pod: Pod; expected: string }> = {
  "the first of equals by name": { nodes: [node("b"), node("a")], pod: pod("x"), expected: "a" },
  "the one with fewer pods": { nodes: [node("a"), node("b")], there: { a: [pod("y")] }, pod: pod("x"), expected: "b" },
  "no node at all": { nodes: [], pod: pod("x"), expected: "no nodes available to schedule pods" },
  "too little left": {
    nodes: [node("a")],
    there: { a: [pod("y", asking("1500m"))] },
    pod: pod("x", asking("1")),
    expected: `0/1 nodes are available: 1 Insufficient cpu. ${noVictims(1)}`,
  },
  "more than a node has": {
    nodes: [node("a"), node("b")],
    pod: pod("x", asking("3")),
    expected: `0/2 nodes are available: 2 Insufficient cpu. ${notHelpful(2)}`,
  },
  "pods that ended take no room": {
    nodes: [node("a")],
    there: { a: [asPod({ ...pod("y", asking("2")), status: { phase: "Succeeded" } })] },
    pod: pod("x", asking("2")),
    expected: "a",
  },
  "too many pods": {
    nodes: [node("a", { allocatable: { pods: "1" } })],
    there: { a: [pod("y")] },
    pod: pod("x"),
    expected: `0/1 nodes are available: 1 Too many pods. ${noVictims(1)}`,
  },
  "a node selector": {
    nodes: [node("a"), node("b", { labels: { disk: "ssd" } })],
    pod: pod("x", { nodeSelector: { disk: "ssd" } }),
    expected: "b",
  },
  "a node selector that no node meets": {
    nodes: [node("a"), node("b")],
    pod: pod("x", { nodeSelector: { disk: "ssd" } }),
    expected: `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${notHelpful(2)}`,
  },
  "required affinity": {
    nodes: [node("a", { labels: { gen: "3" } }), node("b", { labels: { gen: "5" } })],
    pod: pod("x", inTerms({ key: "gen", operator: "Gt", values: ["4"] })),
    expected: "b",
  },
  "a daemon's affinity to one node by its name": {
    nodes: [node("a"), node("b")],
    pod: pod("x", {
      affinity: {
        nodeAffinity: { [required]: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["b"] }] }] } },
      },
    }),
    expected: "b",
  },
  "preferred affinity": {
    nodes: [node("a"), node("b", { labels: { disk: "ssd" } })],
    pod: pod("x", {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: "disk", operator: "Exists" }] } },
          ],
        },
      },
    }),
    expected: "b",
  },
  "a taint": {
    nodes: [node("a", { spec: { taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] } })],
    pod: pod("x"),
    expected: `0/1 nodes are available: 1 node(s) had untolerated taint(s). ${notHelpful(1)}`,
  },
  "a taint that is tolerated": {
    nodes: [node("a", { spec: { taints: [{ key: "gpu", value: "yes", effect: "NoSchedule" }] } })],
    pod: pod("x", { tolerations: [{ key: "gpu", operator: "Exists" }] }),
    expected: "a",
  },
  "a cordoned node": {
    nodes: [node("a", { spec: { unschedulable: true } })],
    pod: pod("x"),
    expected: `0/1 nodes are available: 1 node(s) were unschedulable. ${notHelpful(1)}`,
  },
  "each node reports its first reason": {
    nodes: [node("a", { spec: { unschedulable: true } }), node("b", { allocatable: { cpu: "100m" } })],
    pod: pod("x", asking("1")),
    expected: `0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable. ${notHelpful(2)}`,
  },
  "a host port that is taken": {
    nodes: [node("a")],
    there: { a: [pod("y", { containers: [{ name: "c", image: "i", ports: [{ hostPort: 80 }] }] })] },
    pod: pod("x", { containers: [{ name: "c", image: "i", ports: [{ hostPort: 80 }] }] }),
    expected: `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. ${noVictims(1)}`,
  },
  "the first pod with affinity to itself runs anywhere": { nodes: [node("a"), node("b")], pod: pod("x", together), expected: "a" },
  "with its own kind, the next follow": {
    nodes: [node("a"), node("b")],
    there: { b: [pod("y"), pod("z")] },
    pod: pod("x", together),
    expected: "b",
  },
  "apart from its own kind": { nodes: [node("a"), node("b")], there: { a: [pod("y")] }, pod: pod("x", apart), expected: "b" },
  "apart, and no node left": {
    nodes: [node("a")],
    there: { a: [pod("y")] },
    pod: pod("x", apart),
    expected: `0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules. ${noVictims(1)}`,
  },
  "another pod does not want it near": {
    nodes: [node("a")],
    there: { a: [pod("y", apart, { app: "db" })] },
    pod: pod("x"),
    expected: `0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. ${noVictims(1)}`,
  },
  "spread over zones": {
    nodes: [node("a", { labels: { [zone]: "1" } }), node("b", { labels: { [zone]: "2" } }), node("c", { labels: { [zone]: "2" } })],
    there: { b: [pod("y")] },
    pod: pod("x", spread(1)),
    expected: "a",
  },
  "spread, and the other zone is full": {
    nodes: [node("a", { labels: { [zone]: "1" }, spec: { unschedulable: true } }), node("b", { labels: { [zone]: "2" } })],
    there: { b: [pod("y")] },
    pod: pod("x", spread(1)),
    expected:
      "0/2 nodes are available: 1 node(s) didn't match pod topology spread constraints, 1 node(s) were unschedulable. " +
      "no new claims to deallocate, preemption: 0/2 nodes are available: 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling.",
  },
};

for (const [name, { nodes, there = {}, pod: asked, expected }] of Object.entries(cases)) {
  test(name, () => {
    const states = new SchedulerCache();
    for (const each of nodes) states.setNode(each);
    for (const [on, pods] of Object.entries(there)) {
      for (const other of pods) states.setPod(other.metadata.name, asPod({ ...other, spec: { ...other.spec, nodeName: on } }), undefined);
    }
    const result = schedulePod(asked, { nodes: states.all(), namespaceLabels: () => ({}) }, () => undefined);
    assert.equal("node" in result ? result.node : result.message, expected);
  });
}

test("the resources of a deleted pod are released", () => {
  const states = new SchedulerCache();
  states.setNode(node("a"));
  const bound = asPod({ ...pod("y"), spec: { ...pod("y", asking("1500m")).spec, nodeName: "a" } });
  states.setPod("default/y", bound, undefined);
  const ended = asPod({ ...bound, status: { phase: "Failed" } });
  states.setPod("default/y", ended, bound);
  states.removePod("default/y", ended);
  const [state] = states.all();
  assert.equal(state?.pods.size, 0);
  assert.equal(state?.used.get("cpu")?.nano, 0n);
});

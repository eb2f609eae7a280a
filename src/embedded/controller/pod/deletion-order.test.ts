import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { sortForDeletion, sortForDeletionByRank } from "./deletion-order.ts";

const nowMs = Date.UTC(2030, 0, 31);
const hour = 3600_000;
const ago = (ms: number) => new Date(nowMs - ms).toISOString();
const month = ago(30 * 24 * hour);
const now = ago(0);

type Shape = {
  node?: string;
  phase?: string;
  ready?: string | true;
  restarts?: number;
  sidecar?: number;
  created?: string;
  cost?: string;
  rank?: number;
  uid?: string;
};

function pod(name: string, shape: Shape): KubeObject {
  const { node = "node", phase = "Running", ready, restarts = 0, sidecar = 0, created, cost, uid = "" } = shape;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      uid,
      ...(created === undefined ? {} : { creationTimestamp: created }),
      ...(cost === undefined ? {} : { annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } }),
    },
    spec: { nodeName: node, initContainers: [{ name: "sidecar", restartPolicy: "Always" }] },
    status: {
      phase,
      conditions: ready === undefined ? [] : [{ type: "Ready", status: "True", ...(ready === true ? {} : { lastTransitionTime: ready }) }],
      containerStatuses: [{ name: "c", restartCount: restarts }],
      initContainerStatuses: [{ name: "sidecar", restartCount: sidecar }],
    },
  };
}

// The pairs of TestSortingActivePodsWithRanks in pkg/controller/controller_utils_test.go.
const readyNow = { ready: now, created: now };
const pairs: readonly [string, Shape, Shape][] = [
  ["unassigned before assigned", { node: "", phase: "Pending", rank: 1 }, { phase: "Pending", rank: 2 }],
  ["whatever the rank", { node: "", phase: "Pending", rank: 2 }, { phase: "Pending", rank: 1 }],
  ["pending before unknown", { phase: "Pending", rank: 1 }, { phase: "Unknown", rank: 2 }],
  ["unknown before running", { phase: "Unknown", rank: 1 }, { rank: 2 }],
  ["not ready before ready", {}, { ready: true }],
  ["ready for an unknown time first", { ready: true }, readyNow],
  ["more kin on the node first", { ...readyNow, rank: 2 }, { ready: true, rank: 1 }],
  ["ready for less time first", readyNow, { ready: month, created: month }],
  ["more restarts first", { ...readyNow, restarts: 9001 }, readyNow],
  ["more restarts of sidecars first", { ...readyNow, restarts: 9001, sidecar: 9001 }, { ...readyNow, restarts: 9001 }],
  ["rank before restarts", { ...readyNow, rank: 2 }, { ...readyNow, restarts: 9001, rank: 1 }],
  ["newer first", readyNow, { ready: now, created: month }],
  ["rank before age", { ready: now, created: month, rank: 2 }, { ...readyNow, rank: 1 }],
  ["lower cost first", { ready: now, created: month, cost: "10", rank: 2 }, { ready: now, created: month, cost: "100", rank: 1 }],
  ["ready for 2 hours before 5", { node: "", ready: ago(2 * hour), created: month }, { node: "", ready: ago(5 * hour), created: month }],
];

const names = (pods: readonly KubeObject[]) => pods.map(({ metadata }) => metadata.name).join();

for (const [title, lesser, greater] of pairs) {
  test(`which Pod goes first: ${title}`, () => {
    const [a, b] = [pod("first", lesser), pod("second", greater)];
    const rank = (one: KubeObject) => (one === a ? lesser.rank : greater.rank) ?? 1;
    assert.equal(names(sortForDeletionByRank([b, a], rank, nowMs)), "first,second");
    assert.equal(names(sortForDeletionByRank([a, b], rank, nowMs)), "first,second");
  });
}

test("ages of the same order of magnitude count as equal, and the uid decides", () => {
  const five = pod("five", { node: "", ready: ago(5 * hour), created: month, uid: "b" });
  const eight = pod("eight", { node: "", ready: ago(8 * hour), created: month, uid: "a" });
  const order = sortForDeletionByRank([five, eight], () => 1, nowMs);
  assert.deepEqual(
    order.map(({ metadata }) => metadata.name),
    ["eight", "five"],
  );
});

test("without ranks the latest ready Pod is deleted first, to the second", () => {
  const five = pod("five", { ready: ago(5 * hour), created: month, uid: "b" });
  const eight = pod("eight", { ready: ago(8 * hour), created: month, uid: "a" });
  assert.deepEqual(
    sortForDeletion([eight, five]).map(({ metadata }) => metadata.name),
    ["five", "eight"],
  );
});

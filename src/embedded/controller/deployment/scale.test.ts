import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { oldSetsScaleDown, newSetScaleUp } from "./rollout-rolling.ts";
import { fenceposts, deploymentReplicas, type SetSize } from "./rollout.ts";
import { scaledSizes } from "./scale.ts";

type Limits = { readonly surge?: number | string; readonly unavailable?: number | string };

function deployment(replicas: number, { surge = 0, unavailable = 0 }: Limits = {}): KubeObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "foo" },
    spec: { replicas, strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: surge, maxUnavailable: unavailable } } },
  };
}

/** `v2:3` is a set of 3 replicas; the number in its name is its age. All replicas are available, except in `v2:3/1`, where 1 is. */
function set(text: string, size: { desired: number; max: number }): KubeObject {
  const [name = "", counts = ""] = text.split(":");
  const [replicas = 0, available = replicas] = counts.split("/").map(Number);
  return {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      uid: name,
      creationTimestamp: `2016-05-20T0${name.slice(1)}:00:00Z`,
      annotations: {
        "deployment.kubernetes.io/desired-replicas": `${size.desired}`,
        "deployment.kubernetes.io/max-replicas": `${size.max}`,
      },
    },
    spec: { replicas },
    status: { replicas, availableReplicas: available },
  };
}

function textOf(sets: readonly KubeObject[], sizes: readonly SetSize[]): string {
  const next = new Map(sizes.map(([one, replicas]) => [one.metadata.name, replicas]));
  return sets.map((one) => `${one.metadata.name}:${next.get(one.metadata.name) ?? deploymentReplicas(one)}`).join(" ");
}

// TestScale in pkg/controller/deployment/sync_test.go; the last of `sets` is the new one unless there is none.
const scalings: readonly {
  title: string;
  from: number;
  to: number;
  fromLimits?: Limits;
  limits?: Limits;
  sets: string;
  noNew?: true;
  expected: string;
}[] = [
  { title: "normal scaling up", from: 10, to: 12, sets: "v1:10", expected: "v1:12" },
  { title: "normal scaling down", from: 10, to: 5, sets: "v1:10", expected: "v1:5" },
  { title: "in proportion up", from: 5, to: 10, sets: "v1:3 v2:2", expected: "v1:6 v2:4" },
  { title: "in proportion down", from: 5, to: 3, sets: "v1:3 v2:2", expected: "v1:2 v2:1" },
  { title: "in proportion, the small one vanishes", from: 9, to: 4, sets: "v1:1 v2:8", expected: "v1:0 v2:4" },
  { title: "three sets up", from: 7, to: 10, sets: "v1:2 v2:3 v3:2", expected: "v1:3 v2:4 v3:3" },
  { title: "three sets down", from: 13, to: 8, sets: "v1:3 v2:8 v3:2", expected: "v1:2 v2:5 v3:1" },
  { title: "what is left over goes to the newest", from: 3, to: 4, sets: "v1:1 v2:1 v3:1", expected: "v1:1 v2:1 v3:2" },
  { title: "what is left over is taken from the oldest", from: 3, to: 2, sets: "v1:1 v2:1 v3:1", expected: "v1:0 v2:1 v3:1" },
  { title: "without a new set the latest grows", from: 4, to: 5, sets: "v1:2 v2:2", noNew: true, expected: "v1:2 v2:3" },
  { title: "to nothing", from: 6, to: 0, sets: "v1:1 v2:2 v3:3", expected: "v1:0 v2:0 v3:0" },
  { title: "from nothing", from: 6, to: 6, sets: "v1:0 v2:0 v3:0", expected: "v1:0 v2:0 v3:6" },
  { title: "with surge", from: 10, to: 20, fromLimits: { surge: 2 }, limits: { surge: 2 }, sets: "v1:6 v2:6", expected: "v1:11 v2:11" },
  {
    title: "surge and size change",
    from: 10,
    to: 50,
    fromLimits: { surge: 3 },
    limits: { surge: 6 },
    sets: "v1:8 v2:5",
    expected: "v1:34 v2:22",
  },
  { title: "size and template change", from: 10, to: 14, sets: "v1:3 v2:7", noNew: true, expected: "v1:4 v2:10" },
  {
    title: "a new set that is full but broken costs no old Pod",
    from: 2,
    to: 2,
    fromLimits: { surge: 1, unavailable: 1 },
    limits: { surge: 1, unavailable: 1 },
    sets: "v1:1 v2:2/0",
    expected: "v1:1 v2:2",
  },
];

for (const { title, from, to, fromLimits, limits, sets, noNew, expected } of scalings) {
  test(`scaling ${from} to ${to}: ${title}`, () => {
    const before = { desired: from, max: from + fenceposts(deployment(from, fromLimits)).surge };
    const all = sets.split(" ").map((text) => set(text, before));
    const newSet = noNew === true ? undefined : all.at(-1);
    const sizes = scaledSizes({ deployment: deployment(to, limits), newSet, oldSets: all.filter((one) => one !== newSet) });
    assert.equal(textOf(all, sizes), expected);
  });
}

// TestDeploymentController_reconcileNewReplicaSet in pkg/controller/deployment/rolling_test.go
for (const { surge, sets, expected } of [
  { surge: 0, sets: "v1:10 v2:0", expected: "v1:10 v2:0" },
  { surge: 2, sets: "v1:10 v2:0", expected: "v1:10 v2:2" },
  { surge: 2, sets: "v1:5 v2:0", expected: "v1:5 v2:7" },
  { surge: 2, sets: "v1:10 v2:2", expected: "v1:10 v2:2" },
  { surge: 2, sets: "v1:2 v2:11", expected: "v1:2 v2:10" },
]) {
  test(`scaling up with surge ${surge}: ${sets} to ${expected}`, () => {
    const all = sets.split(" ").map((text) => set(text, { desired: 10, max: 10 }));
    const sizes = newSetScaleUp({ deployment: deployment(10, { surge }), newSet: all[1], oldSets: [all[0]!] });
    assert.equal(textOf(all, sizes), expected);
  });
}

// TestDeploymentController_reconcileOldReplicaSets in the same file
for (const { unavailable, sets, expected } of [
  { unavailable: 0, sets: "v1:10 v2:0", expected: "v1:9 v2:0" },
  { unavailable: 2, sets: "v1:10 v2:0", expected: "v1:8 v2:0" },
  { unavailable: 2, sets: "v1:10/8 v2:0", expected: "v1:8 v2:0" },
  { unavailable: 2, sets: "v1:10/9 v2:0", expected: "v1:8 v2:0" },
  { unavailable: 2, sets: "v1:8 v2:2/0", expected: "v1:8 v2:2" },
]) {
  test(`scaling down with ${unavailable} unavailable: ${sets} to ${expected}`, () => {
    const all = sets.split(" ").map((text) => set(text, { desired: 10, max: 10 }));
    const sizes = oldSetsScaleDown({ deployment: deployment(10, { unavailable }), newSet: all[1], oldSets: [all[0]!] });
    assert.equal(textOf(all, sizes), expected);
  });
}

// TestResolveFenceposts in pkg/controller/deployment/util; unavailability is kept to the Deployment's size as MaxUnavailable does.
for (const { limits, desired, surge, unavailable } of [
  { limits: { surge: "0%", unavailable: "0%" }, desired: 10, surge: 0, unavailable: 1 },
  { limits: { surge: "39%", unavailable: "39%" }, desired: 10, surge: 4, unavailable: 3 },
  { limits: { surge: "0%", unavailable: "39%" }, desired: 10, surge: 0, unavailable: 3 },
  { limits: { surge: "39%", unavailable: "0%" }, desired: 10, surge: 4, unavailable: 0 },
  { limits: { surge: "1%", unavailable: "25%" }, desired: 1, surge: 1, unavailable: 0 },
  { limits: { surge: 0, unavailable: 10 }, desired: 2, surge: 0, unavailable: 2 },
  { limits: { surge: "0%", unavailable: "0%" }, desired: 0, surge: 0, unavailable: 0 },
]) {
  test(`of ${desired}, ${JSON.stringify(limits)} comes to ${surge} and ${unavailable}`, () => {
    assert.deepEqual(fenceposts(deployment(desired, limits)), { surge, unavailable });
  });
}

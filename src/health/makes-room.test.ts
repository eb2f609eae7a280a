import assert from "node:assert/strict";
import test from "node:test";
import type { KubeObject } from "../core/object/index.ts";
import { explainByPods, isAdmissionDenial, progressingBecause } from "./index.ts";

const few = progressingBecause("few");
const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "app", image: "app:1" }] } };
const pending = podOf("app:1", {
  conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "no node fits" }],
});
const old = podOf("app:0", { phase: "Running" });
const quota = 'pods "web-1" is forbidden: exceeded quota: small, requested: pods=1, used: pods=3, limited: pods=3';

function podOf(image: string, status: object, metadata: object = {}): KubeObject {
  const spec = { containers: [{ name: "app", image }] };
  return { apiVersion: "v1", kind: "Pod", metadata: { name: "web-1", labels: { app: "web" }, ...metadata }, spec, status };
}

function workload(kind: string, spec: object, status: object = {}): KubeObject {
  return { apiVersion: "apps/v1", kind, metadata: { name: "web" }, spec: { template, ...spec }, status };
}

const leaving = podOf("app:0", { phase: "Running" }, { deletionTimestamp: "2024-01-01T00:00:00Z" });
const half = { replicas: 5, updatedReplicas: 1, availableReplicas: 4 };
const rolling = (more: object) => ({ replicas: 4, strategy: { type: "RollingUpdate", rollingUpdate: more } });

/** Expected by pkg/controller/deployment/rolling.go: of four replicas, 25 % rounded down may be missing. */
const cases: readonly (readonly [string, KubeObject, readonly KubeObject[], string])[] = [
  ["a new workload", workload("Deployment", { replicas: 1 }, { replicas: 1, updatedReplicas: 1 }), [pending], "failed"],
  ["a Job", workload("Job", {}), [pending], "failed"],
  ["while a pod of it is on its way out", workload("StatefulSet", {}), [pending, leaving], "progressing"],
  ["while a Deployment may stop older pods", workload("Deployment", { replicas: 4 }, half), [pending, old], "progressing"],
  [
    "when a Deployment has stopped all older pods that it may",
    workload("Deployment", { replicas: 4 }, { ...half, replicas: 4, availableReplicas: 3 }),
    [pending, old],
    "failed",
  ],
  [
    "while another new pod is starting, after which an older one may go",
    workload("Deployment", { replicas: 4 }, { ...half, updatedReplicas: 2, availableReplicas: 3 }),
    [pending, old, old, old, podOf("app:1", { phase: "Pending" })],
    "progressing",
  ],
  [
    "when older pods go only after the new one has come",
    workload("Deployment", rolling({ maxSurge: 1, maxUnavailable: 0 }), half),
    [pending, old],
    "failed",
  ],
  [
    "when nothing may be missing and nothing be too many",
    workload("Deployment", rolling({ maxSurge: 0, maxUnavailable: "10%" }), half),
    [pending, old],
    "progressing",
  ],
  [
    "while all are stopped first",
    workload("Deployment", { replicas: 4, strategy: { type: "Recreate" } }, half),
    [pending, old],
    "progressing",
  ],
];

for (const [what, object, pods, state] of cases) {
  test(`no room, ${what}: ${state}`, () => {
    const health = explainByPods(few, object, pods);
    assert.deepEqual(health, {
      state,
      because: "few; pod web-1 cannot be scheduled: no node fits",
      ...(state === "failed" ? { noRoom: "unscheduled" } : {}),
    });
  });
}

test("what its controller may not make fails a workload", () => {
  const health = explainByPods(few, workload("StatefulSet", {}), [], `create Pod web-0 in StatefulSet web failed error: ${quota}`);
  assert.equal(health.state, "failed");
  const conditions = [{ type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: quota }];
  const own = explainByPods(progressingBecause(`few; ${quota}`), workload("Deployment", {}, { conditions }), []);
  assert.deepEqual(own, { state: "failed", because: `few; ${quota}`, noRoom: "denied" });
});

test("a pod that is starting does not hide a denial", () => {
  const starting = podOf("app:1", {
    phase: "Running",
    containerStatuses: [{ name: "app", ready: false, restartCount: 0, state: { running: {} } }],
  });
  assert.equal(explainByPods(few, workload("StatefulSet", {}), [starting], quota).state, "failed");
});

/** Messages of v1.35: plugin/pkg/admission, pkg/quota/v1 and the webhook dispatcher. */
const refusals: readonly (readonly [string, boolean])[] = [
  [quota, true],
  ['pods "web-1" is forbidden: violates PodSecurity "restricted:latest": privileged', true],
  ['admission webhook "policy.example.com" denied the request: no', true],
  ['pods "web-1" is forbidden: error looking up service account shop/web: serviceaccount "web" not found', false],
  ['pods "web-1" is forbidden: status unknown for quota: small, resources: pods', false],
  ['Internal error occurred: failed calling webhook "x": context deadline exceeded', false],
];

for (const [message, final] of refusals)
  test(`${message}: ${final ? "final" : "may pass"}`, () => assert.equal(isAdmissionDenial(message), final));

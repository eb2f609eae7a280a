import assert from "node:assert/strict";
import test from "node:test";
import * as fc from "fast-check";
import type { KubeObject } from "../core/object/index.ts";
import { assess, explainByPods, podIssueOf, type Health } from "./index.ts";

const kinds = [
  "v1 Pod",
  "v1 Node",
  "v1 Namespace",
  "v1 Service",
  "v1 ResourceQuota",
  "v1 PersistentVolume",
  "v1 PersistentVolumeClaim",
  "v1 ReplicationController",
  "apps/v1 Deployment",
  "apps/v1 StatefulSet",
  "apps/v1 DaemonSet",
  "apps/v1 ReplicaSet",
  "batch/v1 Job",
  "batch/v1 CronJob",
  "autoscaling/v2 HorizontalPodAutoscaler",
  "policy/v1 PodDisruptionBudget",
  "networking.k8s.io/v1 Ingress",
  "storage.k8s.io/v1 VolumeAttachment",
  "apiextensions.k8s.io/v1 CustomResourceDefinition",
  "apiregistration.k8s.io/v1 APIService",
  "certificates.k8s.io/v1 CertificateSigningRequest",
  "example.org/v1 Widget",
  "example.org/v1 PipelineRun",
  "example.org/v1 CronThing",
];

/** Names and words that the checks look for, so that random objects get past the first check. */
const names = fc.constantFrom(
  ..."conditions type status reason message phase state health ready error replicas readyReplicas observedGeneration containerStatuses initContainerStatuses name restartCount waiting terminated exitCode lastState hard template spec metadata labels annotations generation finalizers deletionTimestamp parents severity".split(
    " ",
  ),
);
const leaf = fc.oneof(
  fc.constantFrom(
    "True",
    "False",
    "Unknown",
    "Ready",
    "Failed",
    "Progressing",
    "Running",
    "Pending",
    "",
    "1/3",
    "CrashLoopBackOff",
    "ReplicaFailure",
    "AbleToScale",
  ),
  fc.integer({ min: -1, max: 5 }),
  fc.boolean(),
  fc.constant(null),
  fc.string(),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 5 },
    leaf,
    fc.array(tie("json"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(names, fc.string()), tie("json"), { maxKeys: 5 }),
  ),
}));
const statuses = fc.oneof(
  json,
  fc.record({ conditions: fc.array(fc.dictionary(names, leaf)), phase: leaf, containerStatuses: fc.array(json) }, { requiredKeys: [] }),
);

const objects = fc
  .record({ title: fc.constantFrom(...kinds), metadata: json, spec: json, status: statuses }, { requiredKeys: ["title"] })
  .map(({ title, ...rest }) => {
    const [apiVersion, kind] = title.split(" ");
    return { apiVersion, kind, ...rest } as unknown as KubeObject;
  });

function isTold(health: Health): boolean {
  return health.state === "ready" || (typeof health.because === "string" && health.because.trim() !== "");
}

test("every object is assessed, and one that is not ready has a reason", () => {
  fc.assert(
    fc.property(objects, fc.boolean(), (object, hasStatus) => {
      assert.ok(isTold(assess(object, { hasStatus })));
    }),
    { numRuns: 2000 },
  );
});

test("whatever is no object at all is judged too", () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => assert.ok(isTold(assess(value as unknown as KubeObject, { hasStatus: true })))));
});

test("whatever its pods report, a workload that is not ready keeps its reason", () => {
  fc.assert(
    fc.property(objects, statuses, (workload, status) => {
      const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "it" }, status } as unknown as KubeObject;
      assert.ok(isTold(explainByPods(assess(workload, { hasStatus: true }), workload, [pod])));
      assert.ok(podIssueOf(pod)?.because !== "");
    }),
    { numRuns: 500 },
  );
});

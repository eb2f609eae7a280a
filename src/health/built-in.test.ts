import assert from "node:assert/strict";
import test from "node:test";
import { assess, type Health } from "./index.ts";

type Row = readonly [
  what: string,
  parts: { readonly spec?: unknown; readonly status?: unknown; readonly metadata?: object },
  expect: string,
];

function textOf(health: Health): string {
  const why = health.state === "ready" ? health.note : health.because;
  return why === undefined ? health.state : `${health.state}: ${why}`;
}

function cond(type: string, status: string, reason?: string, message?: string, lastTransitionTime?: string): object {
  return { type, status, reason, message, lastTransitionTime };
}

const seen = { observedGeneration: 2 };
const metrics = "unable to get metrics";
const unserved = "the server could not find the requested resource (get pods.metrics.k8s.io)";

/** By `apiVersion Kind`. Objects are at generation 2. */
const kinds: Readonly<Record<string, readonly Row[]>> = {
  "apps/v1 Deployment": [
    ["has no status", {}, "progressing: its controller has not seen it yet"],
    ["is not observed", { status: { observedGeneration: 1 } }, "progressing: generation 2 not yet observed"],
    ["has one replica by default", { status: { ...seen, replicas: 1, updatedReplicas: 1, availableReplicas: 1 } }, "ready"],
    ["wants none", { spec: { replicas: 0 }, status: seen }, "ready"],
    [
      "is updating",
      { spec: { replicas: 3 }, status: { ...seen, replicas: 4, updatedReplicas: 2, availableReplicas: 3 } },
      "progressing: 2 of 3 replicas updated",
    ],
    [
      "stops the old",
      { spec: { replicas: 3 }, status: { ...seen, replicas: 4, updatedReplicas: 3, availableReplicas: 3 } },
      "progressing: 1 old replicas to stop",
    ],
    [
      "is not available",
      { spec: { replicas: 3 }, status: { ...seen, replicas: 3, updatedReplicas: 3, availableReplicas: 1 } },
      "progressing: 1 of 3 replicas available",
    ],
    [
      "passed its deadline",
      {
        status: {
          ...seen,
          conditions: [cond("Progressing", "False", "ProgressDeadlineExceeded", 'ReplicaSet "web-1" has timed out progressing.')],
        },
      },
      'failed: ReplicaSet "web-1" has timed out progressing.',
    ],
    [
      "is over quota",
      {
        spec: { replicas: 2 },
        status: {
          ...seen,
          conditions: [cond("ReplicaFailure", "True", "FailedCreate", 'pods "web-1" is forbidden: exceeded quota: small')],
        },
      },
      'progressing: 0 of 2 replicas updated; pods "web-1" is forbidden: exceeded quota: small',
    ],
    ["is paused", { spec: { paused: true }, status: { ...seen, replicas: 1 } }, "ready: paused: its template is not rolled out"],
    [
      "is being deleted",
      { metadata: { deletionTimestamp: "2024-01-01T00:00:00Z", finalizers: ["a/b"] } },
      "progressing: being deleted, kept by the finalizers a/b",
    ],
  ],
  "apps/v1 ReplicaSet": [
    ["is complete", { spec: { replicas: 2 }, status: { ...seen, replicas: 2, availableReplicas: 2 } }, "ready"],
    [
      "is not available",
      { spec: { replicas: 2 }, status: { ...seen, replicas: 2, availableReplicas: 1 } },
      "progressing: 1 of 2 replicas available",
    ],
    ["has too many", { spec: { replicas: 1 }, status: { ...seen, replicas: 2, availableReplicas: 2 } }, "progressing: 1 replicas to stop"],
    [
      "is refused",
      { status: { ...seen, conditions: [cond("ReplicaFailure", "True", "FailedCreate", "exceeded quota")] } },
      "failed: exceeded quota",
    ],
  ],
  "v1 ReplicationController": [["is complete", { spec: { replicas: 1 }, status: { ...seen, replicas: 1, availableReplicas: 1 } }, "ready"]],
  "apps/v1 StatefulSet": [
    ["has no status", {}, "progressing: its controller has not seen it yet"],
    ["is starting", { spec: { replicas: 3 }, status: { ...seen, replicas: 2, readyReplicas: 1 } }, "progressing: 1 of 3 replicas ready"],
    [
      "is rolled out",
      { spec: { replicas: 1 }, status: { ...seen, replicas: 1, readyReplicas: 1, currentRevision: "a", updateRevision: "a" } },
      "ready",
    ],
    [
      "is updating",
      {
        spec: { replicas: 2 },
        status: { ...seen, replicas: 2, readyReplicas: 2, updatedReplicas: 1, currentRevision: "a", updateRevision: "b" },
      },
      "progressing: 1 of 2 replicas updated",
    ],
    [
      "is partitioned",
      {
        spec: { replicas: 3, updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } },
        status: { ...seen, replicas: 3, readyReplicas: 3, updatedReplicas: 1, currentRevision: "a", updateRevision: "b" },
      },
      "ready: 2 replicas keep the old template: the partition is 2",
    ],
    [
      "is updated by hand",
      {
        spec: { updateStrategy: { type: "OnDelete" } },
        status: { ...seen, replicas: 1, readyReplicas: 1, currentRevision: "a", updateRevision: "b" },
      },
      "ready: pods get the new template when they are deleted",
    ],
    [
      "is updated by hand and broken",
      { spec: { updateStrategy: { type: "OnDelete" } }, status: { ...seen, replicas: 1 } },
      "progressing: 0 of 1 replicas ready",
    ],
    [
      "must stay ready for a while",
      { spec: { minReadySeconds: 30 }, status: { ...seen, replicas: 1, readyReplicas: 1 } },
      "progressing: 0 of 1 replicas available",
    ],
    ["shrinks", { spec: { replicas: 1 }, status: { ...seen, replicas: 2, readyReplicas: 2 } }, "progressing: 1 replicas to stop"],
  ],
  "apps/v1 DaemonSet": [
    ["has no status", {}, "progressing: its controller has not seen it yet"],
    ["is complete", { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: 2 } }, "ready"],
    [
      "is updating",
      { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 } },
      "progressing: 1 of 2 pods updated",
    ],
    [
      "is not available",
      { status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 2 } },
      "progressing: 0 of 2 pods available",
    ],
    ["has no node", { status: { ...seen, desiredNumberScheduled: 0 } }, "ready: no node is to run it"],
    [
      "is updated by hand",
      {
        spec: { updateStrategy: { type: "OnDelete" } },
        status: { ...seen, desiredNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 },
      },
      "ready: pods get the new template when they are deleted: 1 of 2 updated",
    ],
  ],
  "batch/v1 Job": [
    ["has not started", {}, "progressing: 0 of 1 completions"],
    ["tries again", { spec: { completions: 3 }, status: { succeeded: 1, failed: 2 } }, "progressing: 1 of 3 completions, 2 failed so far"],
    ["is complete", { status: { conditions: [cond("SuccessCriteriaMet", "True"), cond("Complete", "True")] } }, "ready"],
    [
      "has failed",
      { status: { conditions: [cond("Failed", "True", "BackoffLimitExceeded", "Job has reached the specified backoff limit")] } },
      "failed: BackoffLimitExceeded: Job has reached the specified backoff limit",
    ],
    ["is about to fail", { status: { conditions: [cond("FailureTarget", "True", "DeadlineExceeded")] } }, "failed: DeadlineExceeded"],
    [
      "is suspended",
      { spec: { suspend: true }, status: { conditions: [cond("Suspended", "True")] } },
      "ready: suspended: spec.suspend is true",
    ],
    ["was resumed", { spec: { suspend: false }, status: { conditions: [cond("Suspended", "False")] } }, "progressing: 0 of 1 completions"],
  ],
  "batch/v1 CronJob": [
    ["never ran", {}, "ready"],
    ["is suspended", { spec: { suspend: true } }, "ready: suspended: spec.suspend is true"],
    ["ran well", { status: { lastScheduleTime: "2024-01-01T00:00:00Z", lastSuccessfulTime: "2024-01-01T00:00:09Z" } }, "ready"],
    [
      "runs now",
      { status: { active: [{ name: "a" }], lastScheduleTime: "2024-01-02T00:00:00Z", lastSuccessfulTime: "2024-01-01T00:00:09Z" } },
      "ready",
    ],
    [
      "ran badly",
      { status: { lastScheduleTime: "2024-01-02T00:00:00Z", lastSuccessfulTime: "2024-01-01T00:00:09Z" } },
      "ready: its last run did not succeed",
    ],
  ],
  "v1 Service": [
    ["is internal", { spec: { type: "ClusterIP" }, status: { loadBalancer: {} } }, "ready"],
    ["has no address", { spec: { type: "LoadBalancer" }, status: { loadBalancer: {} } }, "ready: no load-balancer address yet"],
    ["has an address", { spec: { type: "LoadBalancer" }, status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } }, "ready"],
  ],
  "networking.k8s.io/v1 Ingress": [["has no address", { status: { loadBalancer: {} } }, "ready: no load-balancer address yet"]],
  "v1 PersistentVolumeClaim": [
    [
      "is pending",
      { status: { phase: "Pending" } },
      "progressing: not bound to a volume yet; some storage classes bind when the first pod uses it",
    ],
    ["is bound", { status: { phase: "Bound" } }, "ready"],
    ["is lost", { status: { phase: "Lost" } }, "failed: its volume is lost"],
  ],
  "v1 PersistentVolume": [
    ["is available", { status: { phase: "Available" } }, "ready"],
    ["is released", { status: { phase: "Released" } }, "ready: released by its claim and not reclaimed yet"],
    ["is broken", { status: { phase: "Failed", message: "no plugin deletes it" } }, "failed: no plugin deletes it"],
  ],
  "storage.k8s.io/v1 VolumeAttachment": [
    ["is attached", { status: { attached: true } }, "ready"],
    ["is refused", { status: { attached: false, attachError: { message: "disk is in use" } } }, "progressing: disk is in use"],
  ],
  "v1 Namespace": [
    ["is active", { status: { phase: "Active" } }, "ready"],
    ["goes", { status: { phase: "Terminating" } }, "progressing: being deleted"],
  ],
  "v1 Node": [
    ["is ready", { status: { conditions: [cond("MemoryPressure", "False"), cond("Ready", "True")] } }, "ready"],
    [
      "is cordoned",
      { spec: { unschedulable: true }, status: { conditions: [cond("Ready", "True")] } },
      "ready: cordoned: no pod is scheduled to it",
    ],
    [
      "is lost",
      { status: { conditions: [cond("Ready", "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status.")] } },
      "progressing: Kubelet stopped posting node status.",
    ],
    ["is new", {}, "progressing: its kubelet has not reported yet"],
  ],
  "v1 ResourceQuota": [
    ["is not counted", { spec: { hard: { pods: "2" } } }, "progressing: not counted yet: pods"],
    ["is counted", { spec: { hard: { pods: "2" } }, status: { hard: { pods: "2" }, used: { pods: "2" } } }, "ready"],
  ],
  "apiextensions.k8s.io/v1 CustomResourceDefinition": [
    ["is new", {}, "progressing: not established yet"],
    [
      "is installing",
      {
        status: {
          conditions: [cond("NamesAccepted", "True"), cond("Established", "False", "Installing", "the initial names have been accepted")],
        },
      },
      "progressing: the initial names have been accepted",
    ],
    ["is established", { status: { conditions: [cond("NamesAccepted", "True"), cond("Established", "True")] } }, "ready"],
    [
      "clashes",
      { status: { conditions: [cond("NamesAccepted", "False", "PluralConflict", '"widgets" is already in use')] } },
      'failed: its names are not accepted: "widgets" is already in use',
    ],
  ],
  "apiregistration.k8s.io/v1 APIService": [
    ["is available", { status: { conditions: [cond("Available", "True", "Passed")] } }, "ready"],
    [
      "has no endpoints",
      { status: { conditions: [cond("Available", "False", "MissingEndpoints", "no addresses")] } },
      "progressing: no addresses",
    ],
  ],
  "certificates.k8s.io/v1 CertificateSigningRequest": [
    ["is new", {}, "progressing: waits for approval"],
    ["is approved", { status: { conditions: [cond("Approved", "True")] } }, "progressing: approved, not signed yet"],
    ["is signed", { status: { conditions: [cond("Approved", "True")], certificate: "LS0t" } }, "ready"],
    ["is denied", { status: { conditions: [cond("Denied", "True", "ByAdmin", "who are you?")] } }, "failed: Denied: who are you?"],
  ],
  "autoscaling/v2 HorizontalPodAutoscaler": [
    ["is new", {}, "progressing: no scaling decision yet"],
    [
      "scales",
      {
        status: {
          conditions: [cond("AbleToScale", "True", "ReadyForNewScale"), cond("ScalingActive", "True"), cond("ScalingLimited", "False")],
        },
      },
      "ready",
    ],
    [
      "is off at zero replicas",
      { status: { conditions: [cond("AbleToScale", "True"), cond("ScalingActive", "False", "ScalingDisabled")] } },
      "ready",
    ],
    [
      "has no metrics yet",
      {
        metadata: { creationTimestamp: "2024-01-01T00:00:00Z" },
        status: {
          conditions: [
            cond("AbleToScale", "True"),
            cond("ScalingActive", "False", "FailedGetResourceMetric", metrics, "2024-01-01T00:00:15Z"),
          ],
        },
      },
      `progressing: ${metrics}`,
    ],
    [
      "is in a cluster without a metrics API",
      {
        metadata: { creationTimestamp: "2024-01-01T00:00:00Z" },
        status: {
          conditions: [
            cond("AbleToScale", "True"),
            cond("ScalingActive", "False", "FailedGetResourceMetric", unserved, "2024-03-01T00:00:00Z"),
          ],
        },
      },
      `ready: ${unserved}`,
    ],
    [
      "has lost its metrics",
      {
        metadata: { creationTimestamp: "2024-01-01T00:00:00Z" },
        status: {
          conditions: [
            cond("AbleToScale", "True"),
            cond("ScalingActive", "False", "FailedGetResourceMetric", metrics, "2024-03-01T00:00:00Z"),
          ],
        },
      },
      `failed: ${metrics}`,
    ],
  ],
  "autoscaling/v1 HorizontalPodAutoscaler": [
    [
      "has its conditions in an annotation",
      {
        metadata: { annotations: { "autoscaling.alpha.kubernetes.io/conditions": '[{"type":"AbleToScale","status":"True"}]' } },
        status: {},
      },
      "ready",
    ],
    [
      "has nonsense in it",
      { metadata: { annotations: { "autoscaling.alpha.kubernetes.io/conditions": "[{" } } },
      "progressing: no scaling decision yet",
    ],
  ],
  "policy/v1 PodDisruptionBudget": [
    ["is new", {}, "progressing: its pods have not been counted yet"],
    ["is met", { status: { ...seen, currentHealthy: 2, desiredHealthy: 1 } }, "ready"],
    [
      "is not met",
      { status: { ...seen, currentHealthy: 0, desiredHealthy: 1, conditions: [cond("DisruptionAllowed", "False", "InsufficientPods")] } },
      "ready: 0 of 1 pods healthy",
    ],
    [
      "cannot be kept",
      { status: { conditions: [cond("DisruptionAllowed", "False", "SyncFailed", "found no controllers for pod")] } },
      "failed: found no controllers for pod",
    ],
  ],
  "resource.k8s.io/v1 ResourceClaim": [["waits for its first pod", {}, "ready"]],
  "flowcontrol.apiserver.k8s.io/v1 FlowSchema": [["has no status", {}, "ready"]],
};

for (const [title, rows] of Object.entries(kinds)) {
  const [apiVersion = "", kind = ""] = title.split(" ");
  for (const [what, { metadata, ...rest }, expect] of rows) {
    test(`a ${kind} that ${what} is ${expect.split(":")[0]}`, () => {
      const object = { apiVersion, kind, metadata: { name: "it", generation: 2, ...metadata }, ...rest };
      assert.equal(textOf(assess(object, { hasStatus: true })), expect);
    });
  }
}

test("kinds without a status are ready by being there", () => {
  for (const [apiVersion, kind] of [
    ["v1", "ConfigMap"],
    ["discovery.k8s.io/v1", "EndpointSlice"],
    ["rbac.authorization.k8s.io/v1", "Role"],
  ] as const) {
    assert.deepEqual(assess({ apiVersion, kind, metadata: { name: "it" } }, { hasStatus: false }), { state: "ready" });
  }
});

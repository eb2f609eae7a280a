import assert from "node:assert/strict";
import { test } from "node:test";
import type { KubeObject } from "../../../core/object/index.ts";
import { quotaUsageOf } from "./quota-usage.ts";

function object(kind: string, name: string, spec: object = {}, status: object = {}): KubeObject {
  return { apiVersion: "v1", kind, metadata: { name, namespace: "default" }, spec, status };
}

function pod(name: string, cpu: string, { spec = {}, phase = "Running" } = {}): KubeObject {
  const resources = cpu === "" ? {} : { requests: { cpu, memory: "64Mi" }, limits: { cpu: "1" } };
  return object("Pod", name, { containers: [{ name: "c", image: "i", resources }], ...spec }, { phase });
}

const there: Readonly<Record<string, readonly KubeObject[]>> = {
  pods: [
    pod("a", "250m"),
    pod("b", "500m", { spec: { activeDeadlineSeconds: 60, priorityClassName: "high" } }),
    pod("c", ""),
    pod("d", "4", { phase: "Succeeded" }),
  ],
  services: [
    object("Service", "a", {
      type: "LoadBalancer",
      ports: [
        { port: 80, nodePort: 30000 },
        { port: 81, nodePort: 30001 },
      ],
    }),
    object("Service", "b", { type: "ClusterIP", ports: [{ port: 80 }] }),
  ],
  persistentvolumeclaims: [
    object("PersistentVolumeClaim", "a", { storageClassName: "fast", resources: { requests: { storage: "1Gi" } } }),
    object("PersistentVolumeClaim", "b", { storageClassName: "slow", resources: { requests: { storage: "2Gi" } } }),
  ],
  "deployments.apps": [object("Deployment", "a")],
};

const cases: Record<string, { hard: string[]; spec?: object; expected: Record<string, string> }> = {
  "pods that ended count no more": { hard: ["pods", "count/pods"], expected: { pods: "3", "count/pods": "4" } },
  "requests and limits": {
    hard: ["cpu", "requests.cpu", "requests.memory", "limits.cpu"],
    expected: { cpu: "750m", "requests.cpu": "750m", "requests.memory": "128Mi", "limits.cpu": "2" },
  },
  "services by type and port": {
    hard: ["services", "services.loadbalancers", "services.nodeports"],
    expected: { services: "2", "services.loadbalancers": "1", "services.nodeports": "2" },
  },
  "storage, all and of one class": {
    hard: [
      "requests.storage",
      "persistentvolumeclaims",
      "fast.storageclass.storage.k8s.io/requests.storage",
      "fast.storageclass.storage.k8s.io/persistentvolumeclaims",
    ],
    expected: {
      "requests.storage": "3Gi",
      persistentvolumeclaims: "2",
      "fast.storageclass.storage.k8s.io/requests.storage": "1Gi",
      "fast.storageclass.storage.k8s.io/persistentvolumeclaims": "1",
    },
  },
  "objects of any kind": {
    hard: ["count/deployments.apps", "count/widgets.example.com"],
    expected: { "count/deployments.apps": "1", "count/widgets.example.com": "0" },
  },
  "only those that end by themselves": { hard: ["pods"], spec: { scopes: ["Terminating"] }, expected: { pods: "1" } },
  "only those without requests": { hard: ["pods"], spec: { scopes: ["BestEffort"] }, expected: { pods: "1" } },
  "only one class of priority": {
    hard: ["pods", "cpu"],
    spec: { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] } },
    expected: { pods: "1", cpu: "500m" },
  },
};

for (const [name, { hard, spec = {}, expected }] of Object.entries(cases)) {
  test(name, () => {
    const quota = object("ResourceQuota", "q", { hard: Object.fromEntries(hard.map((item) => [item, "100"])), ...spec });
    assert.deepEqual(
      quotaUsageOf(quota, (resource) => there[resource] ?? []),
      expected,
    );
  });
}

import type { KubeObject } from "../core/object/index.ts";

const namespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

const criticalPods = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** The objects that a new cluster contains. */
export function bootstrapObjects(): { resource: string; object: KubeObject }[] {
  return [
    ...namespaces.map((name) => ({ resource: "namespaces", object: { apiVersion: "v1", kind: "Namespace", metadata: { name } } })),
    ...Object.entries(criticalPods).map(([name, value]) => ({
      resource: "priorityclasses.scheduling.k8s.io",
      object: {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name },
        value,
        description: "Used for system critical pods that must run in the cluster.",
      },
    })),
    {
      resource: "services",
      object: {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "kubernetes", namespace: "default", labels: { component: "apiserver", provider: "kubernetes" } },
        spec: { clusterIP: "10.0.0.1", ports: [{ name: "https", port: 443, targetPort: 6443, protocol: "TCP" }] },
      },
    },
  ];
}

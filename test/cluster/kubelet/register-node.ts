import { isAlreadyExists, type Cluster } from "../../../src/kube/index.ts";
import type { KubeObject } from "../../../src/core/object/index.ts";

const leaseSeconds = 40;
const renewMs = 10_000;
const capacity = { cpu: "32", memory: "256Gi", "ephemeral-storage": "1Ti", pods: "10000" };

type NodeOptions = { readonly name: string; readonly port: number; readonly version: string; readonly signal: AbortSignal };

/**
 * Registers a ready node whose kubelet is on loopback, renews its Lease and says again that it is ready: after an outage of
 * the API server the node controller has marked the node as unreachable.
 */
export async function registerNode(
  cluster: Cluster,
  { name, port, version, signal }: NodeOptions,
  fail: (error: unknown) => void,
): Promise<void> {
  const options = { manager: "kubelet", signal };
  const labels = { "kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64" };
  const node = await cluster.create({ apiVersion: "v1", kind: "Node", metadata: { name, labels } }, options);
  const { resourceVersion: _, ...metadata } = node.metadata;
  await cluster.replace(
    { ...node, metadata, status: statusOf(name, port, version, cluster.clock.now()) },
    { ...options, subresource: "status" },
  );
  await cluster.create(leaseOf(node, cluster.clock.now()), options).catch((error: unknown) => {
    if (!isAlreadyExists(error)) throw error;
  });
  const renew = () => {
    if (signal.aborted) return;
    cluster.clock.after(renewMs, renew, { background: true });
    const { apiVersion, kind } = { apiVersion: "coordination.k8s.io/v1", kind: "Lease" };
    const place = { group: "coordination.k8s.io", version: "v1", kind, namespace: "kube-node-lease", name };
    const patch = { apiVersion, kind, spec: { renewTime: microTime(cluster.clock.now()) } };
    const self = { group: "", version: "v1", kind: "Node", namespace: "", name };
    const status = { conditions: conditionsAt(cluster.clock.now()) };
    const writes = [
      cluster.patch(place, { type: "merge", patch }, options),
      cluster.patch(self, { type: "merge", patch: { status } }, { ...options, subresource: "status" }),
    ];
    Promise.all(writes).catch((error: unknown) => {
      if (!signal.aborted) fail(error);
    });
  };
  cluster.clock.after(renewMs, renew, { background: true });
}

function statusOf(name: string, port: number, kubeletVersion: string, now: number): object {
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: "InternalIP", address: "127.0.0.1" },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
    conditions: conditionsAt(now),
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "",
      osImage: "Sluice test kubelet",
      containerRuntimeVersion: "containerd://2.1.0",
      kubeletVersion,
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

function conditionsAt(now: number): readonly object[] {
  const time = `${new Date(now).toISOString().slice(0, 19)}Z`;
  const condition = (type: string, status: string, reason: string, message: string) => {
    return { type, status, reason, message, lastHeartbeatTime: time, lastTransitionTime: time };
  };
  return [
    condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
    condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
    condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
    condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
  ];
}

function leaseOf({ metadata: { name, uid = "" } }: KubeObject, now: number): KubeObject {
  const metadata = { name, namespace: "kube-node-lease", ownerReferences: [{ apiVersion: "v1", kind: "Node", name, uid }] };
  const spec = { holderIdentity: name, leaseDurationSeconds: leaseSeconds, renewTime: microTime(now) };
  return { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata, spec };
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, "000Z");
}

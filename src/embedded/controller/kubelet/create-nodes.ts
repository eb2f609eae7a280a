import { conditionsOf, fieldsAt, mapAt, type KubeObject } from "../../../core/object/index.ts";
import { timestamp } from "../../behaviour/index.ts";
import { kubernetesVersion } from "../../kubernetes-version.ts";
import type { EmbeddedControllerContext } from "../controller.ts";

/** The template of a node; the default capacity is large. */
export type NodeTemplate = {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Default: 512 cpu, 4Ti memory, 16Ti ephemeral-storage, 10000 pods (where a real kubelet takes 110), so that large rollouts fit. */
  readonly capacity?: Readonly<Record<string, string>>;
};

const ample = { cpu: "512", memory: "4Ti", "ephemeral-storage": "16Ti", "hugepages-1Gi": "0", "hugepages-2Mi": "0", pods: "10000" };

const leases = "leases.coordination.k8s.io";
const leaseSeconds = 40;

/**
 * Creates the Nodes and Leases that are missing; the namespace kube-node-lease must exist. The Leases are not renewed, since
 * nothing here checks them.
 */
export function createNodes(context: EmbeddedControllerContext, shapes: readonly NodeTemplate[]): void {
  for (const [index, shape] of shapes.entries()) {
    if (context.api.read("nodes", "", shape.name) === undefined) {
      const created = context.api.create("nodes", nodeFrom(shape), "kubelet");
      context.api.updateStatus("nodes", { ...created, status: statusOf(shape, index, context.clock.now()) }, "kubelet");
    }
    const node = context.api.read("nodes", "", shape.name);
    if (node === undefined || context.api.read(leases, "kube-node-lease", shape.name) !== undefined) continue;
    context.api.create(leases, leaseOf(node, context.clock.now()), "kubelet");
  }
}

/** Writes the status of a Node that a user created, with the capacity that its status declares. */
export function initializeNode(context: EmbeddedControllerContext, node: KubeObject): void {
  if (conditionsOf(node).length > 0) return;
  const { name } = node.metadata;
  const index = context.api.list("nodes").findIndex(({ metadata }) => metadata.name === name);
  const status = statusOf({ name, capacity: mapAt(node, "status.capacity") }, index, context.clock.now());
  context.api.updateStatus("nodes", { ...node, status: { ...status, ...fieldsAt(node, "status") } }, "kubelet");
}

function nodeFrom({ name, labels = {}, taints }: NodeTemplate): KubeObject {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        ...labels,
      },
    },
    spec: taints === undefined ? {} : { taints },
  };
}

/** `node-1`, `node-2`… */
export function nodeTemplates(count: number): readonly NodeTemplate[] {
  return Array.from({ length: count }, (_, index) => ({ name: `node-${index + 1}` }));
}

// Models pkg/kubelet/nodestatus/setters.go
function statusOf({ name, capacity = {} }: NodeTemplate, index: number, now: number): object {
  const time = timestamp(now);
  const condition = (type: string, status: string, reason: string, message: string) => {
    return { type, status, lastHeartbeatTime: time, lastTransitionTime: time, reason, message };
  };
  const amounts = { ...ample, ...capacity };
  return {
    capacity: amounts,
    allocatable: amounts,
    conditions: [
      condition("MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"),
      condition("DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"),
      condition("PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"),
      condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    addresses: [
      { type: "InternalIP", address: `10.0.${(index + 1) >> 8}.${(index + 1) & 255}` },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "",
      osImage: "Sluice embedded cluster",
      containerRuntimeVersion: "containerd://2.1.0",
      kubeletVersion: kubernetesVersion,
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

/** Models pkg/kubelet/util/nodelease.go */
function leaseOf({ metadata }: KubeObject, now: number): KubeObject {
  const owner = { apiVersion: "v1", kind: "Node", name: metadata.name, uid: metadata.uid ?? "" };
  return {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name: metadata.name, namespace: "kube-node-lease", ownerReferences: [owner] },
    spec: { holderIdentity: metadata.name, leaseDurationSeconds: leaseSeconds, renewTime: microTime(now) },
  };
}

function microTime(ms: number): string {
  return new Date(ms).toISOString().replace(/Z$/, "000Z");
}

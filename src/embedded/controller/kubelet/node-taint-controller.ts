import { booleanAt, findCondition, equal, fieldsAt, listAt, type Fields, type KubeObject } from "../../../core/object/index.ts";
import { enqueueObject, splitKey, type ControllerConstructor, type EmbeddedControllerContext } from "../controller.ts";

/** The taint of each unhealthy condition. Models pkg/controller/nodelifecycle/node_lifecycle_controller.go */
const taintsByCondition: readonly (readonly [type: string, status: string, taint: string])[] = [
  ["Ready", "False", "node.kubernetes.io/not-ready"],
  ["Ready", "Unknown", "node.kubernetes.io/unreachable"],
  ["MemoryPressure", "True", "node.kubernetes.io/memory-pressure"],
  ["DiskPressure", "True", "node.kubernetes.io/disk-pressure"],
  ["NetworkUnavailable", "True", "node.kubernetes.io/network-unavailable"],
  ["PIDPressure", "True", "node.kubernetes.io/pid-pressure"],
];

const unschedulable = "node.kubernetes.io/unschedulable";

/** Maintains the taints of a node's conditions and of cordoning; other taints are left alone. */
export const nodeTaintController: ControllerConstructor = ({ api }) => {
  // The nodes of a new cluster are ready, so its first pod can be scheduled at once.
  for (const node of api.list("nodes")) taint(api, node);
  return {
    name: "node-lifecycle",
    watches: { nodes: (change) => (change.type === "DELETED" ? [] : enqueueObject(change)) },
    reconcile: (key) => taint(api, api.read("nodes", "", splitKey(key).name)),
  };
};

function taint(api: EmbeddedControllerContext["api"], node: KubeObject | undefined): undefined {
  if (node === undefined || findCondition(node, "Ready") === undefined) return;
  const taints = listAt(node, "spec.taints");
  const next = taintsFor(node, taints);
  if (equal(taints, next)) return;
  const { taints: _before, ...spec } = fieldsAt(node, "spec");
  api.update("nodes", { ...node, spec: next.length === 0 ? spec : { ...spec, taints: next } }, "kube-controller-manager");
}

function taintsFor(node: KubeObject, taints: readonly Fields[]): readonly Fields[] {
  const meant = taintsByCondition.filter(([type, status]) => findCondition(node, type)?.status === status).map(([, , key]) => key);
  if (booleanAt(node, "spec.unschedulable")) meant.push(unschedulable);
  const ours = new Set([...taintsByCondition.map(([, , key]) => key), unschedulable]);
  const isOurs = ({ key, effect }: Fields) => effect === "NoSchedule" && ours.has(String(key));
  const kept = taints.filter((taint) => !isOurs(taint) || meant.includes(String(taint["key"])));
  const added = meant.filter((key) => !kept.some((taint) => taint["key"] === key && isOurs(taint)));
  return [...kept, ...added.map((key) => ({ key, effect: "NoSchedule" }))];
}

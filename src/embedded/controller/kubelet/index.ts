/**
 * Runs the pods of every node: carries their statuses forward as their behaviour says, gives them addresses, and takes
 * them away when they are deleted. Also what a node tells of itself and what taints follow from it, and custom resources
 * whose rules say that they come to some condition.
 *
 * It does not know why a pod is there or where it should be; workload controllers and the scheduler do.
 */
export { customConditionController } from "./custom-condition-controller.ts";
export { kubelet } from "./kubelet.ts";
export { nodeTemplates, type NodeTemplate } from "./create-nodes.ts";
export { nodeTaintController } from "./node-taint-controller.ts";

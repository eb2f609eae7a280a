/**
 * Runs the pods of every node: advances their statuses by their behaviour, allocates their addresses, and removes them
 * when they are deleted. It also writes node statuses and taints, and the conditions of custom resources.
 *
 * It does not know why a pod exists or where it should run; workload controllers and the scheduler do.
 */
export { customConditionController } from "./custom-condition-controller.ts";
export { kubelet } from "./kubelet.ts";
export { nodeTemplates, type NodeTemplate } from "./create-nodes.ts";
export { nodeTaintController } from "./node-taint-controller.ts";

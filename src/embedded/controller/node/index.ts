/**
 * Which nodes a pod may be on: what its selectors, affinity and tolerations say of a node.
 *
 * The scheduler and the DaemonSet controller both ask it. It knows nothing of room on nodes, nor of other pods.
 */
export { matchesRequiredNodeAffinity, matchesNodeSelectorTerms, nodeAffinityScore } from "./node-affinity.ts";
export { isTolerated } from "./toleration.ts";

/**
 * Whether a pod may run on a node by its node selector, affinity and tolerations.
 *
 * The scheduler and the DaemonSet controller use it. It knows nothing of capacity, nor of other pods.
 */
export { matchesRequiredNodeAffinity, matchesNodeSelectorTerms, nodeAffinityScore } from "./node-affinity.ts";
export { isTolerated } from "./toleration.ts";

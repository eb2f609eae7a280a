/**
 * Places pods on nodes: what fits, in the order of kube-scheduler's default plugins and with its words when nothing does.
 *
 * Among the nodes that fit it takes the one that preferred affinity favours, then the one with the fewest pods, then the
 * first by name: it does not score as finely as the real one, and it never preempts. What it decides follows from the
 * cluster's objects alone.
 */
export { scheduler } from "./scheduler.ts";
export { claimNamesOf, selectedNode } from "./volume-binding.ts";

/**
 * Schedules pods by kube-scheduler's default filter plugins, in their order and with their messages.
 *
 * Among the feasible nodes it takes the one that preferred affinity scores highest, then the one with the fewest pods,
 * then the first by name: it scores less finely than the real one, and it never preempts. Its decisions depend on the
 * cluster's objects alone.
 */
export { scheduler } from "./scheduler.ts";
export { claimNamesOf, selectedNode } from "./volume-binding.ts";

/**
 * What every workload controller does with Pods: reading their state, making them from a template, and choosing which goes first.
 *
 * It knows no workload kind; each controller decides how many there are to be.
 */
export { createPod, deletePod, isNamespaceEnding, removeFinalizer, type PodMaker } from "./control.ts";
export { byDeletion, byDeletionRanked } from "./deletion-order.ts";
export { scaledCount } from "./int-or-percent.ts";
export { slowStart } from "./slow-start.ts";
export { concernsOwner, isActive, isAvailable, isReady, isTerminal, isTerminating, nextAvailabilityMs, phaseOf } from "./state.ts";
export { timestamp, timeMs, withoutZeros } from "./status.ts";
export { templateHash } from "./template-hash.ts";

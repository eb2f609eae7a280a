/**
 * What all workload controllers do with Pods: reading their state, creating them from a template, and sorting them for
 * deletion.
 *
 * It knows no workload kind.
 */
export { createPod, deletePod, isNamespaceTerminating, removeFinalizer, type PodControl } from "./pod-control.ts";
export { sortForDeletion, sortForDeletionByRank } from "./deletion-order.ts";
export { scaledCount } from "./scaled-count.ts";
export { slowStartBatch } from "./slow-start-batch.ts";
export {
  podChangeAffectsOwner,
  isPodActive,
  isPodAvailable,
  isPodReady,
  isPodTerminal,
  isPodTerminating,
  nextAvailabilityMs,
  podPhaseOf,
} from "./pod-state.ts";
export { timestamp, timeMs, withoutZeros } from "./status-fields.ts";
export { revisionHash, templateHash } from "./template-hash.ts";

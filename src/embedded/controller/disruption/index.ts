/**
 * Counts the Pods of a PodDisruptionBudget, and writes to its status how many of them may be disrupted.
 *
 * It prevents nothing: the embedded cluster has no evictions.
 */
export { disruptionController } from "./disruption-controller.ts";

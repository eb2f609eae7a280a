/**
 * Counts the Pods that a PodDisruptionBudget is for, and says in its status how many of them may be disrupted.
 *
 * It stops nobody: nothing is evicted here.
 */
export { disruptionController } from "./disruption-controller.ts";

/**
 * Explains why objects wait: the chain from an object that is not ready to the first cause.
 *
 * Pure. It takes a plan with the status of each step and follows the needs backwards. It does not know how the statuses
 * were read or how the explanation is shown.
 */
export { waitChainsFrom, type WaitChain } from "./wait-chain.ts";
export type { WaitExplanation, WaitingObject } from "./wait-explanation.ts";
export type { RolloutStatus, StepStatus } from "./rollout-status.ts";
export { waitSubjectOf, why } from "./why.ts";

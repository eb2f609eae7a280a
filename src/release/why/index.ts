/**
 * Says why something waits: the chain from what is not there to what it all began with.
 *
 * Pure. It takes a plan, and how each of its steps stands, and follows the needs of the steps backwards. It does not know
 * how that was found out, or how it is told.
 */
export { waitChainsFrom, type WaitChain } from "./wait-chain.ts";
export type { WaitExplanation, BlockingObject, WaitingObject } from "./wait-explanation.ts";
export type { RolloutStatus, StepStatus } from "./rollout-status.ts";
export { why } from "./why.ts";

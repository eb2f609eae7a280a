/**
 * Says why something waits: the chain from what is not there to what it all began with.
 *
 * Pure. It takes a plan, and how each of its steps stands, and follows the needs of the steps backwards. It does not know
 * how that was found out, or how it is told.
 */
export { chainsFrom, type Chain } from "./chain.ts";
export type { Account, Need, Waiting } from "./account.ts";
export type { Situation, Standing } from "./situation.ts";
export { why } from "./why.ts";

/**
 * Reads live objects before anything changes: whether they exist, their health, and what a dry run makes of the desired
 * manifest.
 *
 * It reads and requests dry runs. It decides nothing.
 */
export { keepLiveReplicas } from "./keep-live-replicas.ts";
export { migratedManagedFields, type TakeOver } from "./field-ownership.ts";
export { withoutServerFields, readLive, type LiveState, type LiveQuery } from "./read-live.ts";

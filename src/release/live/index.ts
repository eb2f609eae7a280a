/**
 * Looks at a cluster before anything is touched: what is there, how it is doing, and what it would make of what is wanted.
 *
 * It reads, and asks for dry runs. It decides nothing.
 */
export { keepLiveReplicas } from "./keep-live-replicas.ts";
export { withoutServerFields, readLive, type LiveState, type LiveQuery, type ReadLiveOptions } from "./read-live.ts";

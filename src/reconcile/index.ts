/**
 * Work that follows what is there: keyed queues, controllers on informers, and Leases that say who may work.
 *
 * It knows keys, never what stands behind them, and time from the clock only. Faults become back-off here and nowhere
 * else. It does not know what is reconciled, clusters of a fleet least of all: they are lanes and shards to it.
 */
export { acquire, type AcquireOptions, type Wait } from "./acquire.ts";
export { backoffMs, defaultBackoff, type Backoff } from "./backoff.ts";
export { control, type Source } from "./controller.ts";
export type { Hold } from "./hold.ts";
export { lead, type LeadOptions } from "./leader.ts";
export { acquiredAt, durationOf, holderOf, leaseDurationMs, leaseKind, type LeaseSubject } from "./lease.ts";
export type { Group } from "./member.ts";
export { settled, WorkQueue, type Outcome, type QueueOptions, type QueueState, type Reconcile, type Report } from "./queue.ts";
export { ownerOf } from "./rendezvous.ts";
export { Shards, type ShardsOptions, type ShardWork } from "./shards.ts";

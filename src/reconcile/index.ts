/**
 * Work that follows what is there: keyed queues, controllers on informers, and Leases that say who may work.
 *
 * It knows keys, never what stands behind them, and time from the clock only. Faults become back-off here and nowhere
 * else. It does not know what is reconciled, clusters of a fleet least of all: they are lanes and shards to it.
 */
export { acquireLease, type AcquireLeaseOptions, type LeaseWait } from "./acquire-lease.ts";
export { runControlLoop, type Source } from "./controller.ts";
export type { HeldLease } from "./held-lease.ts";
export { runLeaderElection, type LeaderElectionOptions } from "./leader-election.ts";
export { acquireTimeOf, leaseDurationOf, holderOf, leaseDurationMs, leaseKind, type LeaseLock } from "./lease.ts";
export type { ShardGroup } from "./shard-member.ts";
export {
  reconciled,
  WorkQueue,
  type ReconcileResult,
  type WorkQueueOptions,
  type WorkQueueState,
  type Reconcile,
  type ReportFailure,
} from "./work-queue.ts";
export { shardOwnerOf } from "./rendezvous-hash.ts";
export { ShardCoordinator, type ShardCoordinatorOptions, type ShardWork } from "./shard-coordinator.ts";

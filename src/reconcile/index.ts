/**
 * The controller runtime: work queues, control loops on informers, leader election and sharding by Leases.
 *
 * It knows keys and not what they stand for, and takes time from the clock only. Only here do faults become back-off.
 * To it, the clusters of a fleet are lanes and shards.
 */
export { acquireLease, type AcquireLeaseOptions, type LeaseWait } from "./acquire-lease.ts";
export { runControlLoop, type Source } from "./controller.ts";
export type { HeldLease } from "./held-lease.ts";
export { runLeaderElection } from "./leader-election.ts";
export {
  acquireTimeOf,
  leaseDurationOf,
  holderOf,
  leaseDurationMs,
  leaseKind,
  renewIntervalMs,
  renewTimeOf,
  type LeaseLock,
} from "./lease.ts";
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
export { ShardCoordinator } from "./shard-coordinator.ts";
export { shardMemberSelection } from "./shard-member.ts";

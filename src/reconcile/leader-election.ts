import type { Cluster } from "../kube/index.ts";
import { acquireLease } from "./acquire-lease.ts";
import type { HeldLease } from "./held-lease.ts";
import type { LeaseLock } from "./lease.ts";

export type LeaderElectionOptions = {
  /** Names this process among all that may ever want to lead. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Told whom it waits for, once for each. Default: nobody is told. */
  readonly waiting?: (because: string) => void;
};

/**
 * Does `work` while it is the leader, again and again until the signal aborts: `work` gets a signal that aborts before
 * anybody else can lead, and should end then. When it ends by itself, or throws, the Lease is let go and that is the end.
 */
export async function runLeaderElection(
  cluster: Cluster,
  lock: LeaseLock,
  { identity, signal, waiting = () => {} }: LeaderElectionOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  for (let term = 1; !signal.aborted; term++) {
    const held = await acquireUnlessAborted(cluster, lock, { identity: `${identity} (${term})`, signal, waiting });
    if (held === undefined) return;
    try {
      await work(AbortSignal.any([signal, held.lost]));
      if (!held.lost.aborted) return;
    } catch (error) {
      if (!held.lost.aborted) throw error;
    } finally {
      await held.release();
    }
  }
}

/** Nothing when the signal aborts first. */
async function acquireUnlessAborted(
  cluster: Cluster,
  lock: LeaseLock,
  { identity, signal, waiting }: Required<LeaderElectionOptions>,
): Promise<HeldLease | undefined> {
  const applying = acquireLease(cluster, lock, { identity, signal });
  try {
    for (;;) {
      const { done, value } = await applying.next();
      if (done === true) return value;
      waiting(value.because);
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

import type { Cluster } from "../kube/index.ts";
import { acquireLease, type AcquireLeaseOptions } from "./acquire-lease.ts";
import type { HeldLease } from "./held-lease.ts";
import type { LeaseLock } from "./lease.ts";

type LeaderElectionOptions = {
  /** The unique identity of this process. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Receives the reason for waiting, once for each holder. Default: ignored. */
  readonly waiting?: (because: string) => void;
};

/**
 * Runs `work` while this process is the leader, repeatedly until the signal aborts. The signal of `work` aborts before
 * another process can lead. `assertLeading` is for every write: it throws, and aborts that signal, also in a process that was
 * suspended and whose timers have not fired yet. When `work` ends by itself or throws, the Lease is released and the election ends. Models
 * client-go tools/leaderelection
 */
export async function runLeaderElection(
  cluster: Cluster,
  lock: LeaseLock,
  { identity, signal, waiting = () => {} }: LeaderElectionOptions,
  work: (signal: AbortSignal, assertLeading: () => void) => Promise<void>,
): Promise<void> {
  const ended = new Set<string>();
  for (let term = 1; !signal.aborted; term++) {
    const holder = `${identity} (${term})`;
    const held = await acquireUnlessAborted(cluster, lock, { identity: holder, hasDied: (other) => ended.has(other), signal, waiting });
    if (held === undefined) return;
    try {
      await work(AbortSignal.any([signal, held.lost]), () => held.assertHeld());
      if (!held.lost.aborted) return;
    } catch (error) {
      if (!held.lost.aborted) throw error;
    } finally {
      await held.release();
      // Nobody else has taken a Lease that still names it: it can be taken again at once.
      ended.add(holder);
    }
  }
}

/** Undefined when the signal aborts first. */
async function acquireUnlessAborted(
  cluster: Cluster,
  lock: LeaseLock,
  { waiting, ...candidate }: Required<LeaderElectionOptions> & Pick<AcquireLeaseOptions, "hasDied">,
): Promise<HeldLease | undefined> {
  const { signal } = candidate;
  const acquiring = acquireLease(cluster, lock, candidate);
  try {
    for (;;) {
      const { done, value } = await acquiring.next();
      if (done === true) return value;
      waiting(value.because);
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  }
}

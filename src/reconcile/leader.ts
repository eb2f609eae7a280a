import type { Cluster } from "../kube/index.ts";
import { acquire } from "./acquire.ts";
import type { Hold } from "./hold.ts";
import type { LeaseSubject } from "./lease.ts";

export type LeadOptions = {
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
export async function lead(
  cluster: Cluster,
  subject: LeaseSubject,
  { identity, signal, waiting = () => {} }: LeadOptions,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  for (let term = 1; !signal.aborted; term++) {
    const hold = await taken(cluster, subject, { identity: `${identity} (${term})`, signal, waiting });
    if (hold === undefined) return;
    try {
      await work(AbortSignal.any([signal, hold.lost]));
      if (!hold.lost.aborted) return;
    } catch (error) {
      if (!hold.lost.aborted) throw error;
    } finally {
      await hold.release();
    }
  }
}

/** Nothing when the signal aborts first. */
async function taken(
  cluster: Cluster,
  subject: LeaseSubject,
  { identity, signal, waiting }: Required<LeadOptions>,
): Promise<Hold | undefined> {
  const applying = acquire(cluster, subject, { identity, signal });
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

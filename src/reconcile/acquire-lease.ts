import { doing, Fault } from "../core/fault/index.ts";
import { newInformer, isAlreadyExists, isConflict, type InformerEvent, type Cluster } from "../kube/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { RenewingLease, type HeldLease } from "./held-lease.ts";
import { acquireTimeOf, leaseDurationOf, holderOf, leaseFor, leaseKind, type LeaseLock } from "./lease.ts";

/** Somebody else holds the Lease. Told once for each holder. */
export type LeaseWait = { readonly holder: string; readonly since: string; readonly because: string };

export type AcquireLeaseOptions = {
  /** Names this holder among all that may ever want the lease, in words for those who wait for it. Never used twice. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Knows for certain that a holder is no more: a process of this machine that has ended. Default: nobody knows. */
  readonly hasDied?: (holder: string) => boolean;
};

/**
 * Takes a Lease, waiting for as long as another holds it, and tells who that is. It answers what is then
 * held; a signal that aborts while waiting throws its reason.
 *
 * A holder is given up when its Lease has not changed for as long as it said, by our own clock from when we saw it: no
 * two clocks have to agree.
 */
export async function* acquireLease(cluster: Cluster, lock: LeaseLock, options: AcquireLeaseOptions): AsyncGenerator<LeaseWait, HeldLease> {
  const stop = new AbortController();
  const candidate = new LeaseCandidate(cluster, lock, options, AbortSignal.any([options.signal, stop.signal]));
  try {
    return yield* candidate.wait();
  } finally {
    stop.abort(new Error("the wait for the lease is over"));
  }
}

/** Waits for one Lease: knows its last state, since when that is so, and what to do about it. */
class LeaseCandidate {
  readonly #cluster: Cluster;
  readonly #subject: LeaseLock;
  readonly #options: AcquireLeaseOptions;
  readonly #changes: AsyncIterator<InformerEvent>;
  #hearing: Promise<boolean> | undefined;
  #lease: KubeObject | undefined;
  #seenAt = 0;
  #toldOf = "";

  constructor(cluster: Cluster, lock: LeaseLock, options: AcquireLeaseOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#subject = lock;
    this.#options = options;
    const selection = { namespace: lock.namespace, fieldSelector: `metadata.name=${lock.name}` };
    this.#changes = newInformer(cluster, leaseKind, { ...selection, signal })[Symbol.asyncIterator]();
  }

  async *wait(): AsyncGenerator<LeaseWait, HeldLease> {
    while (!(await this.#heard())) continue;
    for (;;) {
      if (this.#isFree()) {
        const held = await this.#take();
        if (held !== undefined) return held;
        continue;
      }
      const holder = holderOf(this.#lease);
      if (holder !== this.#toldOf) yield this.#waitFor(holder);
      await this.#changedOrExpired();
    }
  }

  #isFree(): boolean {
    const holder = holderOf(this.#lease);
    if (this.#lease === undefined || holder === "") return true;
    return this.#options.hasDied?.(holder) === true || this.#cluster.clock.now() >= this.#expiresAt(this.#lease);
  }

  #expiresAt(lease: KubeObject): number {
    return this.#seenAt + leaseDurationOf(lease);
  }

  /** Nothing when somebody was quicker; then the change that says so has been taken in. */
  async #take(): Promise<HeldLease | undefined> {
    const { identity, signal } = this.#options;
    const at = this.#cluster.clock.now();
    const known = this.#lease;
    const wanted = leaseFor(this.#subject, identity, at, known);
    try {
      const lease = await doing(`take the lease of ${this.#subject.about}`, async () =>
        known === undefined ? this.#cluster.create(wanted, { signal }) : this.#cluster.replace(wanted, { signal }),
      );
      return new RenewingLease(this.#cluster, this.#subject, identity, { lease, at });
    } catch (error) {
      const refusal = error instanceof Error ? error.cause : undefined;
      if (!isConflict(refusal) && !isAlreadyExists(refusal)) throw error;
      if (this.#lease === known) await this.#heard();
      return undefined;
    }
  }

  #waitFor(holder: string): LeaseWait {
    this.#toldOf = holder;
    const since = this.#lease === undefined ? "" : acquireTimeOf(this.#lease);
    const because = `${holder} is at work on ${this.#subject.about}${since === "" ? "" : `, since ${since}`}`;
    return { holder, since, because };
  }

  async #changedOrExpired(): Promise<void> {
    if (this.#lease === undefined) return;
    const { clock } = this.#cluster;
    const expired = Promise.withResolvers<void>();
    const cancel = clock.after(this.#expiresAt(this.#lease) - clock.now(), expired.resolve);
    try {
      await Promise.race([this.#heard(), expired.promise]);
    } finally {
      cancel();
    }
  }

  /** Takes in the next change, once for everybody who waits for it; true when all that was there at the beginning is known. */
  #heard(): Promise<boolean> {
    if (this.#hearing === undefined) {
      this.#hearing = this.#hear().finally(() => (this.#hearing = undefined));
      this.#hearing.catch(() => undefined); // the one that is under way when the lease is taken ends with the watch
    }
    return this.#hearing;
  }

  async #hear(): Promise<boolean> {
    const { done, value: change } = await this.#changes.next();
    if (done) {
      this.#options.signal.throwIfAborted();
      throw new Fault(`the watch of the lease of ${this.#subject.about} has ended`);
    }
    if (change.type === "added" || change.type === "modified") this.#see(change.object);
    if (change.type === "deleted") this.#see(undefined);
    return change.type === "synced";
  }

  #see(lease: KubeObject | undefined): void {
    this.#lease = lease;
    this.#seenAt = this.#cluster.clock.now();
  }
}

import { doing, Fault } from "../core/fault/index.ts";
import { newInformer, isAlreadyExists, isConflict, type InformerEvent, type Cluster } from "../kube/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { RenewingLease, type HeldLease, type LeaseHoldOptions } from "./held-lease.ts";
import { acquireTimeOf, leaseDurationOf, holderOf, leaseFor, leaseKind, type LeaseLock } from "./lease.ts";

/** Another holder has the Lease. Reported once for each holder. */
export type LeaseWait = { readonly holder: string; readonly since: string; readonly because: string };

export type AcquireLeaseOptions = LeaseHoldOptions & {
  /** The unique identity of this holder, readable for those who wait for it. Never reused. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Whether a holder is known to be dead: a process of this machine that has ended. Default: unknown. */
  readonly hasDied?: (holder: string) => boolean;
};

/**
 * Acquires a Lease. While another holds it, yields who that is. Rejects with the signal's reason when it aborts.
 *
 * A holder has lost its Lease when that has not changed for its own duration, measured by our clock since we saw it. So
 * clocks need not agree. Models client-go tools/leaderelection
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

/** Waits for one Lease: tracks its last state and when it was observed. */
class LeaseCandidate {
  readonly #cluster: Cluster;
  readonly #subject: LeaseLock;
  readonly #options: AcquireLeaseOptions;
  readonly #events: AsyncIterator<InformerEvent>;
  #observing: Promise<boolean> | undefined;
  #lease: KubeObject | undefined;
  #seenAt = 0;
  #reportedHolder = "";

  constructor(cluster: Cluster, lock: LeaseLock, options: AcquireLeaseOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#subject = lock;
    this.#options = options;
    const selection = { namespace: lock.namespace, fieldSelector: `metadata.name=${lock.name}` };
    this.#events = newInformer(cluster, leaseKind, { ...selection, signal })[Symbol.asyncIterator]();
  }

  async *wait(): AsyncGenerator<LeaseWait, HeldLease> {
    while (!(await this.#observe())) continue;
    for (;;) {
      if (this.#isFree()) {
        const held = await this.#tryAcquire();
        if (held !== undefined) return held;
        continue;
      }
      const holder = holderOf(this.#lease);
      if (holder !== this.#reportedHolder) yield this.#leaseWait(holder);
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

  /** Undefined when another candidate was faster. Then the event that says so has been observed. */
  async #tryAcquire(): Promise<HeldLease | undefined> {
    const { identity, signal } = this.#options;
    const at = this.#cluster.clock.now();
    const known = this.#lease;
    const wanted = leaseFor(this.#subject, identity, at, known);
    try {
      const lease = await doing(`take the lease of ${this.#subject.about}`, async () =>
        known === undefined ? this.#cluster.create(wanted, { signal }) : this.#cluster.replace(wanted, { signal }),
      );
      return new RenewingLease(this.#cluster, this.#subject, identity, { lease, at }, this.#options);
    } catch (error) {
      const refusal = error instanceof Error ? error.cause : undefined;
      if (!isConflict(refusal) && !isAlreadyExists(refusal)) throw error;
      if (this.#lease === known) await this.#observe();
      return undefined;
    }
  }

  #leaseWait(holder: string): LeaseWait {
    this.#reportedHolder = holder;
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
      await Promise.race([this.#observe(), expired.promise]);
    } finally {
      cancel();
    }
  }

  /** Observes the next event, shared by concurrent callers. True once the initial list is complete. */
  #observe(): Promise<boolean> {
    if (this.#observing === undefined) {
      this.#observing = this.#nextEvent().finally(() => (this.#observing = undefined));
      this.#observing.catch(() => undefined); // the pending one ends with the watch after the lease is acquired
    }
    return this.#observing;
  }

  async #nextEvent(): Promise<boolean> {
    const { done, value: change } = await this.#events.next();
    if (done) {
      this.#options.signal.throwIfAborted();
      throw new Fault(`the watch of the lease of ${this.#subject.about} has ended`);
    }
    if (change.type === "added" || change.type === "modified") this.#record(change.object);
    if (change.type === "deleted") this.#record(undefined);
    return change.type === "synced";
  }

  #record(lease: KubeObject | undefined): void {
    this.#lease = lease;
    this.#seenAt = this.#cluster.clock.now();
  }
}

import { Fault } from "../core/fault/index.ts";
import { sleep } from "../core/clock/index.ts";
import {
  backoffMs,
  ConnectionFault,
  newInformer,
  isAlreadyExists,
  isConflict,
  isForbidden,
  isTransient,
  type Backoff,
  type InformerEvent,
  type Cluster,
} from "../kube/index.ts";
import type { KubeObject } from "../core/object/index.ts";
import { RenewingLease, type HeldLease, type LeaseHoldOptions } from "./held-lease.ts";
import { acquireTimeOf, leaseDurationOf, holderOf, leaseFor, leaseKind, withAcquireTimeout, type LeaseLock } from "./lease.ts";

/** Why the Lease is not held yet: another holder, or an API server that does not answer. Reported once for each. */
export type LeaseWait = { readonly because: string };

/** An API server that has just started forbids everything for a moment. After that the right is missing. */
const forbiddenGraceMs = 5_000;

const acquireBackoff: Backoff = { firstMs: 250, maxMs: 4_000 };

export type AcquireLeaseOptions = LeaseHoldOptions & {
  /** The unique identity of this holder, readable for those who wait for it. Never reused. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Whether a holder is known to be dead: a process of this machine that has ended. Default: unknown. */
  readonly hasDied?: (holder: string) => boolean;
};

/**
 * Acquires a Lease. While another holds it, yields who that is. What may pass, such as an API server that is away, is
 * waited out. Rejects with the signal's reason when it aborts, and then holds nothing.
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
  readonly #signal: AbortSignal;
  /** Begins with the first observation: a Lease that could be created is not watched. */
  #events: AsyncIterator<InformerEvent> | undefined;
  #observing: Promise<void> | undefined;
  #synced = false;
  /** Why the Lease cannot be observed, since `#seenAt`. */
  #forbidden: Fault | undefined;
  #lease: KubeObject | undefined;
  #seenAt = 0;
  #reported = "";
  #failures = 0;
  /** The acquire times of the attempts that failed without a response. */
  readonly #unanswered = new Set<string>();

  constructor(cluster: Cluster, lock: LeaseLock, options: AcquireLeaseOptions, signal: AbortSignal) {
    this.#cluster = cluster;
    this.#subject = lock;
    this.#options = options;
    this.#signal = signal;
  }

  async *wait(): AsyncGenerator<LeaseWait, HeldLease> {
    const created = await this.#tryCreate();
    if (created !== undefined) return created;
    while (!this.#synced) {
      if (this.#forbidden === undefined) await this.#observe();
      else {
        if (this.#reported === "") yield { because: (this.#reported = this.#forbidden.message) };
        await this.#observeUntil(this.#seenAt + forbiddenGraceMs, this.#forbidden);
      }
    }
    for (;;) {
      const result = this.#isFree() ? await this.#tryAcquire() : { because: this.#heldBy() };
      if (result === undefined) continue;
      if ("held" in result) return result.held;
      if (result.because !== this.#reported) yield { because: (this.#reported = result.because) };
      if (this.#failures === 0) await this.#changedOrExpired();
      else await sleep(this.#cluster.clock, backoffMs(this.#failures, this.#cluster.random, acquireBackoff), this.#options.signal);
    }
  }

  /** Mostly nobody holds the Lease, and one request is enough. Whatever is in the way is found out by observing it. */
  async #tryCreate(): Promise<HeldLease | undefined> {
    try {
      const result = await this.#tryAcquire();
      return result !== undefined && "held" in result ? result.held : undefined;
    } catch {
      this.#options.signal.throwIfAborted();
      return undefined;
    }
  }

  #isFree(): boolean {
    const holder = holderOf(this.#lease);
    if (this.#lease === undefined || holder === "" || this.#isOurs(this.#lease)) return true;
    return this.#options.hasDied?.(holder) === true || this.#cluster.clock.now() >= this.#expiresAt(this.#lease);
  }

  /** Whether an attempt of ours made it whose response was lost. Another process may have our identity by mistake. */
  #isOurs(lease: KubeObject): boolean {
    return holderOf(lease) === this.#options.identity && this.#unanswered.has(acquireTimeOf(lease));
  }

  #expiresAt(lease: KubeObject): number {
    return this.#seenAt + leaseDurationOf(lease);
  }

  /** Undefined when another candidate was faster. Then the event that says so has been observed. */
  async #tryAcquire(): Promise<{ readonly held: HeldLease } | LeaseWait | undefined> {
    const { identity, signal } = this.#options;
    signal.throwIfAborted();
    const at = this.#cluster.clock.now();
    const known = this.#lease;
    const wanted = leaseFor(this.#subject, identity, at, known);
    const about = `take the lease of ${this.#subject.about}`;
    try {
      const lease = await this.#write(wanted, known !== undefined);
      const held = new RenewingLease(this.#cluster, this.#subject, identity, { lease, at }, this.#options);
      if (!signal.aborted) return { held };
      await held.release();
    } catch (error) {
      signal.throwIfAborted();
      // The watch has got through before, so any trouble on the way may pass.
      if (isTransient(error) || error instanceof ConnectionFault) return this.#failed(wanted, new Fault(about, error));
      if (!isConflict(error) && !isAlreadyExists(error)) throw new Fault(about, error);
      this.#failures = 0;
      if (this.#lease === known) await this.#observe();
      return undefined;
    }
    throw signal.reason;
  }

  /**
   * The signal does not abort the request: the API server may have carried it out, and a Lease that nobody knows of would
   * keep all others waiting. It gets a time limit instead.
   */
  #write(lease: KubeObject, exists: boolean): Promise<KubeObject> {
    const cluster = this.#cluster;
    const write = (signal: AbortSignal) => (exists ? cluster.replace(lease, { signal }) : cluster.create(lease, { signal }));
    return withAcquireTimeout(cluster.clock, write);
  }

  #failed(attempt: KubeObject, fault: Fault): LeaseWait {
    this.#failures++;
    this.#unanswered.add(acquireTimeOf(attempt));
    return { because: fault.message };
  }

  #heldBy(): string {
    this.#failures = 0;
    const since = this.#lease === undefined ? "" : acquireTimeOf(this.#lease);
    return `${holderOf(this.#lease)} is at work on ${this.#subject.about}${since === "" ? "" : `, since ${since}`}`;
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

  /** Observes the next event. Throws the fault when there is none in time. */
  async #observeUntil(at: number, fault: Fault): Promise<void> {
    const { clock } = this.#cluster;
    const late = Promise.withResolvers<never>();
    const cancel = clock.after(at - clock.now(), () => late.reject(fault));
    try {
      await Promise.race([this.#observe(), late.promise]);
    } finally {
      cancel();
    }
  }

  /** Observes the next event, shared by concurrent callers. */
  #observe(): Promise<void> {
    if (this.#observing === undefined) {
      this.#observing = this.#nextEvent().finally(() => (this.#observing = undefined));
      this.#observing.catch(() => undefined); // the pending one ends with the watch after the lease is acquired
    }
    return this.#observing;
  }

  async #nextEvent(): Promise<void> {
    const { done, value: change } = await (this.#events ??= this.#watch()).next();
    if (done) {
      this.#options.signal.throwIfAborted();
      throw new Fault(`the watch of the lease of ${this.#subject.about} has ended`);
    }
    if (change.type === "added" || change.type === "modified") this.#record(change.object);
    if (change.type === "deleted") this.#record(undefined);
    if (change.type === "synced") this.#synced = true;
    if (change.type === "interrupted" && this.#forbidden === undefined && isMissingRight(change.because)) {
      this.#forbidden = new Fault(`take the lease of ${this.#subject.about}`, change.because, { final: true });
      this.#seenAt = this.#cluster.clock.now();
    }
  }

  #watch(): AsyncIterator<InformerEvent> {
    const { namespace, name } = this.#subject;
    const selection = { namespace, fieldSelector: `metadata.name=${name}`, signal: this.#signal };
    return newInformer(this.#cluster, leaseKind, selection)[Symbol.asyncIterator]();
  }

  #record(lease: KubeObject | undefined): void {
    this.#lease = lease;
    this.#seenAt = this.#cluster.clock.now();
  }
}

function isMissingRight(fault: Fault): boolean {
  return isForbidden(fault) || isForbidden(fault.cause);
}

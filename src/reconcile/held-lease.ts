import type { Cancel } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { isConflict, isForbidden, isNotFound, isTransient, type Cluster } from "../kube/index.ts";
import { refOf, type KubeObject } from "../core/object/index.ts";
import {
  releasedLease,
  holderOf,
  leaseFor,
  leaseDurationMs,
  leaseKind,
  renewDeadlineMs,
  renewIntervalMs,
  withReleaseTimeout,
  type LeaseLock,
} from "./lease.ts";

/** A Lease that this process holds. */
export type HeldLease = {
  /** Aborts when the Lease is lost, with a Fault that says why. Nothing may be written after that. */
  readonly lost: AbortSignal;
  /** Whether no other process can hold the Lease yet. A suspended process learns it here before its timers fire. */
  isHeld(): boolean;
  /** Throws when another process may hold the Lease by now, which counts as lost from then on unless it outlasts outages. */
  assertHeld(): void;
  /**
   * Sends a write while the Lease is held. A write that is under way when the Lease comes into doubt is aborted, and sent
   * again when the Lease is renewed. Rejects when the signal aborts or the Lease is lost.
   */
  whileHeld<T>(write: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** Releases the Lease. Does nothing when it is already released or lost. */
  release(): Promise<void>;
};

export type LeaseHoldOptions = {
  /**
   * Goes on renewing when the API server has not answered for too long: the Lease is in doubt, and only another holder
   * takes it away. Default: it is lost then, and another process may go on at once.
   */
  readonly outlastsOutages?: boolean;
};

/** The delay before a failed renewal is retried. */
const retryAfterMs = 1_000;

/** Renews an acquired Lease until it is released or lost. */
export class RenewingLease implements HeldLease {
  readonly #cluster: Cluster;
  readonly #subject: LeaseLock;
  readonly #identity: string;
  readonly #renewIntervalMs: number;
  readonly #renewDeadlineMs: number;
  readonly #lost = new AbortController();
  readonly #outlastsOutages: boolean;
  /** The writes that are under way. */
  readonly #writes = new Set<AbortController>();
  #renewed = Promise.withResolvers<void>();
  #attempt = new AbortController();
  #lease: KubeObject;
  /** When the last successful renewal was sent. */
  #renewedAt: number;
  #released = false;
  #cancel: Cancel = () => {};
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    cluster: Cluster,
    lock: LeaseLock,
    identity: string,
    taken: { readonly lease: KubeObject; readonly at: number },
    { outlastsOutages = false }: LeaseHoldOptions = {},
  ) {
    this.#cluster = cluster;
    this.#subject = lock;
    this.#identity = identity;
    const { durationMs = leaseDurationMs } = lock;
    this.#renewIntervalMs = (renewIntervalMs / leaseDurationMs) * durationMs;
    this.#renewDeadlineMs = (renewDeadlineMs / leaseDurationMs) * durationMs;
    this.#outlastsOutages = outlastsOutages;
    this.#lease = taken.lease;
    this.#renewedAt = taken.at;
    this.#schedule(this.#renewIntervalMs);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    return !this.#released && !this.#lost.signal.aborted && this.#cluster.clock.now() < this.#renewedAt + this.#renewDeadlineMs;
  }

  assertHeld(): void {
    if (this.isHeld()) return;
    if (!this.#released) this.#missDeadline(this.#unrenewed, undefined);
    throw this.#lost.signal.aborted ? this.#lost.signal.reason : inDoubt;
  }

  async whileHeld<T>(write: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      if (!this.isHeld()) await this.#untilHeld(signal);
      const attempt = new AbortController();
      const abort = () => attempt.abort(signal.reason);
      signal.addEventListener("abort", abort, { once: true });
      this.#writes.add(attempt);
      try {
        return await write(attempt.signal);
      } catch (error) {
        if (attempt.signal.reason !== inDoubt) throw error;
      } finally {
        this.#writes.delete(attempt);
        signal.removeEventListener("abort", abort);
      }
    }
  }

  async release(): Promise<void> {
    if (this.#released) return;
    const mayBeOurs = this.isHeld();
    this.#released = true;
    this.#cancel();
    await this.#renewing;
    // A Lease in doubt has expired by itself.
    if (mayBeOurs && !this.#lost.signal.aborted) await this.#delete();
  }

  async #untilHeld(signal: AbortSignal): Promise<void> {
    const { lost } = this;
    const ended = Promise.withResolvers<never>();
    const end = () => ended.reject(signal.aborted ? signal.reason : lost.reason);
    if (signal.aborted || lost.aborted) end();
    for (const each of [signal, lost]) each.addEventListener("abort", end, { once: true });
    try {
      while (!this.isHeld()) await Promise.race([this.#renewed.promise, ended.promise]);
    } finally {
      for (const each of [signal, lost]) each.removeEventListener("abort", end);
    }
  }

  /**
   * Deletes the Lease only in the version that we wrote. A newer one belongs to another holder, after our expiry. When the
   * API server does not answer, the Lease is left to expire.
   */
  async #delete(): Promise<void> {
    const { uid, resourceVersion } = this.#lease.metadata;
    const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    const { clock } = this.#cluster;
    try {
      await withReleaseTimeout(clock, (signal) => this.#cluster.delete(refOf(this.#lease), { preconditions, signal }));
    } catch (error) {
      if (isForbidden(error)) await withReleaseTimeout(clock, (signal) => this.#cluster.replace(releasedLease(this.#lease), { signal }));
      else if (!isNotFound(error) && !isConflict(error) && !isTransient(error)) throw new Fault(`release ${this.#title}`, error);
    }
  }

  #schedule(ms: number): void {
    // Whoever waits for a Lease in doubt must not see the process end for want of timers.
    const background = this.isHeld();
    this.#cancel = this.#cluster.clock.after(ms, () => (this.#renewing = this.#renew()), { background });
  }

  async #renew(): Promise<void> {
    const { clock } = this.#cluster;
    const at = clock.now();
    this.#attempt = new AbortController();
    // A hanging request must not hide the deadline, nor the end of an outage.
    const leftMs = this.isHeld() ? this.#renewedAt + this.#renewDeadlineMs - at : this.#renewIntervalMs;
    const cancel = clock.after(leftMs, () => this.#missDeadline(this.#unrenewed, undefined), {
      background: true,
    });
    let next = this.#renewIntervalMs;
    try {
      this.#lease = await this.#update(at);
      this.#renewedAt = at;
      this.#renewed.resolve();
      this.#renewed = Promise.withResolvers();
    } catch (error) {
      this.#handleFailure(error);
      next = retryAfterMs;
    } finally {
      cancel();
    }
    if (!this.#released && !this.#lost.signal.aborted) this.#schedule(next);
  }

  async #update(at: number): Promise<KubeObject> {
    const { signal } = this.#attempt;
    const renewed = (known: KubeObject) => this.#cluster.replace(leaseFor(this.#subject, this.#identity, at, known), { signal });
    const wasHeld = this.isHeld();
    if (wasHeld) {
      try {
        return await renewed(this.#lease);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    }
    const found = await this.#cluster.find({ ...leaseKind, namespace: this.#subject.namespace, name: this.#subject.name }, { signal });
    if (found === undefined && wasHeld) return await this.#recreate(at);
    // Somebody may have labelled it, or our response was lost. Only another holder means loss. Past the deadline a Lease
    // that is gone or new has had another holder, who has released it.
    if (found === undefined || holderOf(found) !== this.#identity) throw new LeaseTakenOver(holderOf(found));
    return await renewed(found);
  }

  /** A terminating namespace deletes its Leases and allows no new ones, so no other process can take it. */
  async #recreate(at: number): Promise<KubeObject> {
    try {
      return await this.#cluster.create(leaseFor(this.#subject, this.#identity, at), { signal: this.#attempt.signal });
    } catch (error) {
      if (isForbidden(error) || isNotFound(error)) return this.#lease;
      throw error;
    }
  }

  #handleFailure(error: unknown): void {
    if (error instanceof LeaseTakenOver)
      this.#lose(`it was taken over by ${error.holder === "" ? "somebody who has ended since" : error.holder}`, undefined);
    else if (!this.isHeld()) this.#missDeadline("it could not be renewed", error);
  }

  #missDeadline(because: string, error: unknown): void {
    if (!this.#outlastsOutages) return this.#lose(because, error);
    this.#attempt.abort(inDoubt);
    for (const write of this.#writes) write.abort(inDoubt);
  }

  #lose(because: string, error: unknown): void {
    this.#cancel();
    if (!this.#lost.signal.aborted) this.#lost.abort(new Fault(`lost ${this.#title}: ${because}`, error));
    this.#attempt.abort(this.#lost.signal.reason);
  }

  get #unrenewed(): string {
    return `it could not be renewed for ${this.#renewDeadlineMs / 1000} s`;
  }

  get #title(): string {
    return `the lease of ${this.#subject.about}`;
  }
}

/** Why requests are aborted past the deadline. */
const inDoubt = new Error("the lease is in doubt");

class LeaseTakenOver extends Error {
  readonly holder: string;

  constructor(holder: string) {
    super(`taken over by ${holder}`);
    this.holder = holder;
  }
}

import type { Cancel } from "../core/clock/index.ts";
import { Fault } from "../core/fault/index.ts";
import { isConflict, isForbidden, isNotFound, type Cluster } from "../kube/index.ts";
import { refOf, type KubeObject } from "../core/object/index.ts";
import { releasedLease, holderOf, leaseFor, leaseKind, renewDeadlineMs, renewIntervalMs, type LeaseLock } from "./lease.ts";

/** A Lease that this process holds. */
export type HeldLease = {
  /** Aborts when the Lease is lost, with a Fault that says why. Nothing may be written after that. */
  readonly lost: AbortSignal;
  /** Whether no other process can hold the Lease yet. A suspended process learns it here before its timers fire. */
  isHeld(): boolean;
  /** Releases the Lease. Does nothing when it is already released or lost. */
  release(): Promise<void>;
};

/** The delay before a failed renewal is retried. */
const retryAfterMs = 1_000;

/** Renews an acquired Lease until it is released or lost. */
export class RenewingLease implements HeldLease {
  readonly #cluster: Cluster;
  readonly #subject: LeaseLock;
  readonly #identity: string;
  readonly #lost = new AbortController();
  #lease: KubeObject;
  /** When the last successful renewal was sent. */
  #renewedAt: number;
  #released = false;
  #cancel: Cancel = () => {};
  #renewing: Promise<void> = Promise.resolve();

  constructor(cluster: Cluster, lock: LeaseLock, identity: string, taken: { readonly lease: KubeObject; readonly at: number }) {
    this.#cluster = cluster;
    this.#subject = lock;
    this.#identity = identity;
    this.#lease = taken.lease;
    this.#renewedAt = taken.at;
    this.#schedule(renewIntervalMs);
  }

  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  isHeld(): boolean {
    return !this.#released && !this.#lost.signal.aborted && this.#cluster.clock.now() < this.#renewedAt + renewDeadlineMs;
  }

  async release(): Promise<void> {
    if (this.#released) return;
    this.#released = true;
    this.#cancel();
    await this.#renewing;
    if (!this.#lost.signal.aborted) await this.#delete();
  }

  /** Deletes the Lease only in the version that we wrote. A newer one belongs to another holder, after our expiry. */
  async #delete(): Promise<void> {
    const { uid, resourceVersion } = this.#lease.metadata;
    const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    try {
      await this.#cluster.delete(refOf(this.#lease), { preconditions });
    } catch (error) {
      if (isForbidden(error)) await this.#cluster.replace(releasedLease(this.#lease));
      else if (!isNotFound(error) && !isConflict(error)) throw new Fault(`release ${this.#title}`, error);
    }
  }

  #schedule(ms: number): void {
    this.#cancel = this.#cluster.clock.after(ms, () => (this.#renewing = this.#renew()), { background: true });
  }

  async #renew(): Promise<void> {
    const { clock } = this.#cluster;
    const at = clock.now();
    // A hanging request must not hide the deadline.
    const cancel = clock.after(
      this.#renewedAt + renewDeadlineMs - at,
      () => this.#lose(`it could not be renewed for ${renewDeadlineMs / 1000} s`, undefined),
      { background: true },
    );
    let next = renewIntervalMs;
    try {
      this.#lease = await this.#update(at);
      this.#renewedAt = at;
    } catch (error) {
      this.#handleFailure(error);
      next = retryAfterMs;
    } finally {
      cancel();
    }
    if (!this.#released && !this.#lost.signal.aborted) this.#schedule(next);
  }

  async #update(at: number): Promise<KubeObject> {
    const { signal } = this.#lost;
    try {
      return await this.#cluster.replace(leaseFor(this.#subject, this.#identity, at, this.#lease), { signal });
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
    const found = await this.#cluster.find({ ...leaseKind, namespace: this.#subject.namespace, name: this.#subject.name }, { signal });
    if (found === undefined) return await this.#recreate(at);
    // Somebody may have labelled it, or our response was lost. Only another holder means loss.
    if (holderOf(found) !== this.#identity) throw new LeaseTakenOver(holderOf(found));
    return await this.#cluster.replace(leaseFor(this.#subject, this.#identity, at, found), { signal });
  }

  /** A terminating namespace deletes its Leases and allows no new ones, so no other process can take it. */
  async #recreate(at: number): Promise<KubeObject> {
    try {
      return await this.#cluster.create(leaseFor(this.#subject, this.#identity, at), { signal: this.#lost.signal });
    } catch (error) {
      if (isForbidden(error) || isNotFound(error)) return this.#lease;
      throw error;
    }
  }

  #handleFailure(error: unknown): void {
    if (error instanceof LeaseTakenOver)
      this.#lose(`it was taken over by ${error.holder === "" ? "nobody known" : error.holder}`, undefined);
    else if (!this.isHeld()) this.#lose("it could not be renewed", error);
  }

  #lose(because: string, error: unknown): void {
    this.#cancel();
    if (!this.#lost.signal.aborted) this.#lost.abort(new Fault(`lost ${this.#title}: ${because}`, error));
  }

  get #title(): string {
    return `the lease of ${this.#subject.about}`;
  }
}

class LeaseTakenOver extends Error {
  readonly holder: string;

  constructor(holder: string) {
    super(`taken over by ${holder}`);
    this.holder = holder;
  }
}

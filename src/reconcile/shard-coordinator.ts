import { sleep } from "../core/clock/index.ts";
import { backoffMs, restart, type Backoff, type Cluster } from "../kube/index.ts";
import { shardLeaseIn, mayOwnKey, shardLeaseContent, type ShardLease } from "./shard-lease.ts";
import { ShardMember, type ShardGroup } from "./shard-member.ts";
import { ShardMembership } from "./shard-membership.ts";
import { shardOwnerOf } from "./rendezvous-hash.ts";

/** Works on a key until the signal aborts. It is restarted with back-off when it ends before. */
type ShardWork = (key: string, signal: AbortSignal) => Promise<void>;

type ShardCoordinatorOptions = {
  readonly group: ShardGroup;
  /** The identity of this process, for people. */
  readonly identity: string;
  readonly work: ShardWork;
  /** Receives errors of work and of the membership. Default: ignored. */
  readonly report?: (error: unknown, key?: string) => void;
};

type Run = { readonly stop: AbortController; readonly ended: Promise<void> };

const joinBackoff: Backoff = { firstMs: 500, maxMs: 5_000 };
const workBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Assigns each key to one process of a group, by Leases.
 *
 * Guarantee: of all running processes, at most one has an unaborted signal for a key, however replicas start, stop,
 * stall, lose their connection or disagree on the time. (When a suspended process continues, `isOwned` is right at
 * once, and its signals abort as soon as its timers fire. A write that it had started may still arrive, so writes carry
 * a resourceVersion.) When a replica crashes, its keys move after one lease duration and a few requests. When one
 * leaves or joins, after a few requests.
 *
 * Each process writes the members that it knows into its Lease, after it has stopped work on the keys that they own. It
 * starts a key only when it has seen, not before its own write, that no other ShardLease owns it.
 */
export class ShardCoordinator {
  readonly #cluster: Cluster;
  readonly #options: ShardCoordinatorOptions;
  readonly #keys = new Set<string>();
  readonly #runs = new Map<string, Run>();
  readonly #failures = new Map<string, number>();
  readonly #membership: ShardMembership;
  #member: ShardMember | undefined;
  /** Lost memberships whose Leases may still be there, and the end of the work that they began. */
  readonly #former: { readonly member: ShardMember; readonly ended: Promise<unknown> }[] = [];
  /** The state that was last evaluated. Empty when it has to be evaluated again. */
  #evaluated = "";
  /** Our own Lease has been seen, so its absence means that it was deleted. */
  #isSeen = false;

  constructor(cluster: Cluster, options: ShardCoordinatorOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#membership = new ShardMembership(cluster, options.group, () => this.#member?.name ?? "");
  }

  /** Adds a key. Every replica has to know all keys. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#evaluated = "";
    this.#evaluate();
  }

  /** Removes a key. Resolves when no work on it runs here. */
  async remove(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#failures.delete(key);
    const run = this.#runs.get(key);
    run?.stop.abort(new Error(`${key} is gone`));
    await run?.ended;
  }

  /** Whether this process owns the key right now. A process that may have been suspended asks before every write. */
  isOwned(key: string): boolean {
    const run = this.#runs.get(key);
    return run !== undefined && !run.stop.signal.aborted && this.#member?.isHeld() === true;
  }

  /** The keys that this process owns. */
  owned(): readonly string[] {
    return [...this.#runs.keys()].filter((key) => this.isOwned(key));
  }

  /** Whether this process is a member of its group right now: its Lease has been renewed in time. */
  get isMember(): boolean {
    return this.#member?.isHeld() === true;
  }

  /** The Leases of all known members. */
  members(): readonly string[] {
    return this.#membership
      .leases()
      .map(({ metadata }) => metadata.name)
      .toSorted();
  }

  /**
   * Runs until the signal aborts, and resolves when all work has ended and the Lease is deleted. Rejects when the
   * Leases may not be read.
   */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const watching = this.#membership.watch(() => this.#evaluate(), either).catch((error: unknown) => stop.abort(error));
    const { clock, random } = this.#cluster;
    await restart({ clock, random, signal: either, backoff: joinBackoff }, (reset) =>
      this.#runAsMember(either, reset).catch((error: unknown) => {
        if (!either.aborted) this.#options.report?.(error);
      }),
    );
    await this.#stopAll();
    await Promise.all([this.#member?.leave(), this.#leaveFormer()]);
    this.#member = undefined;
    await watching;
    if (stop.signal.aborted && !signal.aborted) throw stop.signal.reason;
  }

  /** Runs from joining the group to losing the membership. */
  async #runAsMember(signal: AbortSignal, joined: () => void): Promise<void> {
    const member = await ShardMember.join(this.#cluster, this.#options.group, this.#options.identity, signal);
    joined();
    void this.#leaveFormer();
    this.#member = member;
    this.#evaluated = "";
    this.#isSeen = false;
    // Stops all work in the same turn in which the membership is lost.
    member.lost.addEventListener("abort", () => this.#abortAll(member.lost.reason), { once: true });
    this.#evaluate();
    await aborted(AbortSignal.any([signal, member.lost]));
    if (signal.aborted) return;
    this.#member = undefined;
    this.#former.push({ member, ended: Promise.all([...this.#runs.values()].map(({ ended }) => ended)) });
    throw member.lost.reason;
  }

  /**
   * Gives back the Leases of lost memberships. Others wait for their expiry otherwise, counted from when they see them: after
   * an outage that all have noticed, nobody would work for as long as a lease.
   */
  async #leaveFormer(): Promise<void> {
    await Promise.all(this.#former.splice(0).map(({ member, ended }) => ended.then(() => member.leave())));
  }

  /** Starts and stops work, and writes our ShardLease, according to the Leases. */
  #evaluate(): void {
    const member = this.#member;
    if (member === undefined || !member.isHeld()) return;
    const leases = this.#membership.leases();
    const own = leases.find(({ metadata }) => metadata.uid === member.uid);
    if (own === undefined && this.#isSeen) member.expel();
    if (own === undefined) return;
    this.#isSeen = true;
    const members = leases.map(({ metadata }) => metadata.name).toSorted();
    this.#stopUnowned(member.name, members);
    const ending = [...this.#runs].filter(([, { stop }]) => stop.signal.aborted).map(([key]) => key);
    member.publish({ members, ending: ending.toSorted() });
    if (shardLeaseIn(own).number !== member.shardLease.number) return;
    const others = leases.filter((lease) => lease !== own).map((lease) => ({ name: lease.metadata.name, shardLease: shardLeaseIn(lease) }));
    this.#startOwned(member.name, members, others);
  }

  #stopUnowned(self: string, members: readonly string[]): void {
    for (const [key, { stop }] of this.#runs) {
      if (!stop.signal.aborted && shardOwnerOf(key, members) !== self) stop.abort(new Error(`${key} goes to another member`));
    }
  }

  /** Skips renewals: only changes of keys, members or ShardLeases matter. */
  #startOwned(
    self: string,
    members: readonly string[],
    others: readonly { readonly name: string; readonly shardLease: ShardLease }[],
  ): void {
    const seen = JSON.stringify([self, members, others.map(({ shardLease }) => [shardLease.number, shardLeaseContent(shardLease)])]);
    if (seen === this.#evaluated) return;
    for (const key of this.#keys) {
      if (this.#runs.has(key) || shardOwnerOf(key, members) !== self) continue;
      if (!others.some(({ name, shardLease }) => mayOwnKey(name, shardLease, key))) this.#start(key);
    }
    this.#evaluated = seen;
  }

  #start(key: string): void {
    const stop = new AbortController();
    const ended = this.#runWork(key, stop.signal).finally(() => {
      this.#runs.delete(key);
      this.#evaluated = "";
      this.#evaluate();
    });
    this.#runs.set(key, { stop, ended });
  }

  /** A run that ends early keeps the key during its back-off. */
  async #runWork(key: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#options.work(key, signal);
      this.#failures.delete(key);
    } catch (error) {
      if (signal.aborted) return;
      this.#options.report?.(error, key);
    }
    if (signal.aborted) return;
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    await sleep(this.#cluster.clock, backoffMs(failures, this.#cluster.random, workBackoff), signal).catch(() => undefined);
  }

  #abortAll(because: unknown): void {
    for (const { stop } of this.#runs.values()) stop.abort(because);
  }

  async #stopAll(): Promise<void> {
    this.#abortAll(new Error("this replica ends"));
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

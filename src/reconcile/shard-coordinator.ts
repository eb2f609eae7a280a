import { sleep } from "../core/clock/index.ts";
import { backoffMs, restart, type Backoff, type Cluster } from "../kube/index.ts";
import { shardLeaseIn, mayOwnKey, shardLeaseContent, type ShardLease } from "./shard-lease.ts";
import { ShardMember, type ShardGroup } from "./shard-member.ts";
import { ShardMembership } from "./shard-membership.ts";
import { shardOwnerOf } from "./rendezvous-hash.ts";

/** Works on a key for as long as it is ours: until the signal aborts. It is started again, later and later, when it ends before that. */
export type ShardWork = (key: string, signal: AbortSignal) => Promise<void>;

export type ShardCoordinatorOptions = {
  readonly group: ShardGroup;
  /** Names this process, in words for people. */
  readonly identity: string;
  readonly work: ShardWork;
  /** Told when work ends that should not have, and when we are out of the group. Default: nobody is told. */
  readonly report?: (error: unknown, key?: string) => void;
};

type Run = { readonly stop: AbortController; readonly ended: Promise<void> };

const joinBackoff: Backoff = { firstMs: 500, maxMs: 5_000 };
const workBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/**
 * Shares keys out over all processes of a group, each key to one of them, by Leases.
 *
 * Guaranteed, however replicas come, go, stall, are cut off or tell the time: of all processes that run, at most one has
 * a key's signal not aborted. (A process that stands still does nothing; the moment it goes on, `isOwned` tells it the
 * truth, and its signals abort as soon as its timers run. A write that it had begun before may still arrive, so writes
 * carry a resourceVersion.) And when a replica ends without a word, its keys have another owner after one lease duration
 * and a few requests; when it leaves or another one comes, after a few requests.
 *
 * How: everybody writes into its Lease which members it shares with, stops what those leave to others before it says so,
 * and starts a key only when it has seen, not before its own claim, that nobody else claims it.
 */
export class ShardCoordinator {
  readonly #cluster: Cluster;
  readonly #options: ShardCoordinatorOptions;
  readonly #keys = new Set<string>();
  readonly #runs = new Map<string, Run>();
  readonly #failures = new Map<string, number>();
  readonly #neighbours: ShardMembership;
  #member: ShardMember | undefined;
  /** What was last looked at; empty when there is reason to look again. */
  #looked = "";
  /** Our own Lease has been seen, so it is known when it goes. */
  #isSeen = false;

  constructor(cluster: Cluster, options: ShardCoordinatorOptions) {
    this.#cluster = cluster;
    this.#options = options;
    this.#neighbours = new ShardMembership(cluster, options.group, () => this.#member?.name ?? "");
  }

  /** There is such a key. Every replica has to be told of all keys. */
  add(key: string): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#looked = "";
    this.#look();
  }

  /** There is no such key any more; resolves when nobody here works on it. */
  async remove(key: string): Promise<void> {
    this.#keys.delete(key);
    this.#failures.delete(key);
    const run = this.#runs.get(key);
    run?.stop.abort(new Error(`${key} is gone`));
    await run?.ended;
  }

  /** Whether the key is ours at this very moment. To be asked before every write by who may have been suspended. */
  isOwned(key: string): boolean {
    const run = this.#runs.get(key);
    return run !== undefined && !run.stop.signal.aborted && this.#member?.isHeld() === true;
  }

  /** The keys that are ours. */
  owned(): readonly string[] {
    return [...this.#runs.keys()].filter((key) => this.isOwned(key));
  }

  /** The Leases of all members, as far as they are known. */
  members(): readonly string[] {
    return this.#neighbours
      .leases()
      .map(({ metadata }) => metadata.name)
      .toSorted();
  }

  /** Takes part until the signal aborts; then resolves when all work has ended and the others know. Rejects when the Leases may not be read. */
  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    const either = AbortSignal.any([signal, stop.signal]);
    const following = this.#neighbours.watch(() => this.#look(), either).catch((error: unknown) => stop.abort(error));
    const { clock, random } = this.#cluster;
    await restart({ clock, random, signal: either, backoff: joinBackoff }, (reset) =>
      this.#takePart(either, reset).catch((error: unknown) => {
        if (!either.aborted) this.#options.report?.(error);
      }),
    );
    await this.#stopAll();
    await this.#member?.leave();
    this.#member = undefined;
    await following;
    if (stop.signal.aborted && !signal.aborted) throw stop.signal.reason;
  }

  /** From joining to being lost. */
  async #takePart(signal: AbortSignal, joined: () => void): Promise<void> {
    const member = await ShardMember.join(this.#cluster, this.#options.group, this.#options.identity, signal);
    joined();
    this.#member = member;
    this.#looked = "";
    this.#isSeen = false;
    // In the same turn in which it is lost everything stops.
    member.lost.addEventListener("abort", () => this.#abortAll(member.lost.reason), { once: true });
    this.#look();
    await aborted(AbortSignal.any([signal, member.lost]));
    if (signal.aborted) return;
    this.#member = undefined;
    void member.leave();
    throw member.lost.reason;
  }

  /** Brings what runs here, and what we claim, to what the Leases say. */
  #look(): void {
    const member = this.#member;
    if (member === undefined || !member.isHeld()) return;
    const leases = this.#neighbours.leases();
    const own = leases.find(({ metadata }) => metadata.uid === member.uid);
    if (own === undefined && this.#isSeen) member.expel();
    if (own === undefined) return;
    this.#isSeen = true;
    const members = leases.map(({ metadata }) => metadata.name).toSorted();
    this.#stopOthers(member.name, members);
    const ending = [...this.#runs].filter(([, { stop }]) => stop.signal.aborted).map(([key]) => key);
    member.publish({ members, ending: ending.toSorted() });
    if (shardLeaseIn(own).number !== member.shardLease.number) return;
    const others = leases.filter((lease) => lease !== own).map((lease) => ({ name: lease.metadata.name, claim: shardLeaseIn(lease) }));
    this.#startOurs(member.name, members, others);
  }

  #stopOthers(self: string, members: readonly string[]): void {
    for (const [key, { stop }] of this.#runs) {
      if (!stop.signal.aborted && shardOwnerOf(key, members) !== self) stop.abort(new Error(`${key} goes to another member`));
    }
  }

  /** Renewals change nothing; only when keys, members or claims have changed is there anything to look at. */
  #startOurs(self: string, members: readonly string[], others: readonly { readonly name: string; readonly claim: ShardLease }[]): void {
    const seen = JSON.stringify([self, members, others.map(({ claim }) => [claim.number, shardLeaseContent(claim)])]);
    if (seen === this.#looked) return;
    for (const key of this.#keys) {
      if (this.#runs.has(key) || shardOwnerOf(key, members) !== self) continue;
      if (!others.some(({ name, claim }) => mayOwnKey(name, claim, key))) this.#start(key);
    }
    this.#looked = seen;
  }

  #start(key: string): void {
    const stop = new AbortController();
    const ended = this.#perform(key, stop.signal).finally(() => {
      this.#runs.delete(key);
      this.#looked = "";
      this.#look();
    });
    this.#runs.set(key, { stop, ended });
  }

  /** A run that ends too soon stays ours while it waits to be started again. */
  async #perform(key: string, signal: AbortSignal): Promise<void> {
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

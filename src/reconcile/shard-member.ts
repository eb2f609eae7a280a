import type { Cancel } from "../core/clock/index.ts";
import { doing, Fault } from "../core/fault/index.ts";
import { isAlreadyExists, isConflict, isNotFound, type Cluster } from "../kube/index.ts";
import { refOf, type KubeObject } from "../core/object/index.ts";
import { shardLeaseContent, emptyShardLease, withShardLease, type ShardLease } from "./shard-lease.ts";
import { leaseFor, renewDeadlineMs, renewIntervalMs, withAcquireTimeout, withReleaseTimeout, type LeaseLock } from "./lease.ts";

/** A group of shard members: the Leases of one namespace with the group's label. */
export type ShardGroup = { readonly namespace: string; readonly name: string };

const groupLabel = "sluice.dev/group";
const retryAfterMs = 1_000;

/** Selects the Leases of a group's members. */
export function shardMemberSelection({ namespace, name }: ShardGroup): { readonly namespace: string; readonly labelSelector: string } {
  return { namespace, labelSelector: `${groupLabel}=${name}` };
}

/**
 * A member of a shard group: it renews a Lease of its own, which contains its ShardLease. The member is lost when the
 * renewal is late, by our own clock from before the request was sent, or when somebody deletes the Lease. A lost member
 * never comes back: the process joins again under another name.
 */
export class ShardMember {
  readonly #cluster: Cluster;
  readonly #group: ShardGroup;
  readonly #subject: LeaseLock;
  readonly #identity: string;
  readonly #lost = new AbortController();
  #lease: KubeObject;
  #renewedAt: number;
  #shardLease: ShardLease = emptyShardLease;
  #writing: Promise<void> | undefined;
  #dirty = false;
  #cancelRenewal: Cancel = () => {};
  #cancelWatchdog: Cancel = () => {};

  private constructor(cluster: Cluster, group: ShardGroup, lock: LeaseLock, identity: string, taken: { lease: KubeObject; at: number }) {
    this.#cluster = cluster;
    this.#group = group;
    this.#subject = lock;
    this.#identity = identity;
    this.#lease = taken.lease;
    this.#renewedAt = taken.at;
    this.#startWatchdog();
    this.#schedule(renewIntervalMs);
  }

  /** Creates a Lease that owns no keys yet. Existing names are skipped. */
  static async join(cluster: Cluster, group: ShardGroup, identity: string, signal: AbortSignal): Promise<ShardMember> {
    for (let attempt = 1; ; attempt++) {
      const name = `${group.name}.${slug(identity)}.${attempt}`;
      const lock = { namespace: group.namespace, name, about: `${identity} in ${group.name}` };
      const at = cluster.clock.now();
      const wanted = withGroupLabel(group, leaseFor(lock, identity, at));
      try {
        const lease = await doing(`join ${group.name}`, () =>
          withAcquireTimeout(cluster.clock, (limited) => cluster.create(wanted, { signal: limited }), signal),
        );
        return new ShardMember(cluster, group, lock, identity, { lease, at });
      } catch (error) {
        if (!(error instanceof Error) || !isAlreadyExists(error.cause)) throw error;
      }
    }
  }

  get name(): string {
    return this.#subject.name;
  }

  get uid(): string | undefined {
    return this.#lease.metadata.uid;
  }

  /** Aborts when the member is lost, with a Fault that says why. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** Its last ShardLease, which may not have been written yet. */
  get shardLease(): ShardLease {
    return this.#shardLease;
  }

  /** Whether no other member can have removed it for silence yet. A suspended process learns it here before its timers fire. */
  isHeld(): boolean {
    return !this.#lost.signal.aborted && this.#cluster.clock.now() < this.#renewedAt + renewDeadlineMs;
  }

  /** Writes a ShardLease, unless it is unchanged. Work on keys that it no longer owns must have ended. */
  publish(content: Omit<ShardLease, "number">): void {
    if (shardLeaseContent(content) === shardLeaseContent(this.#shardLease)) return;
    this.#shardLease = { ...content, number: this.#shardLease.number + 1 };
    this.#write();
  }

  /** Deletes the Lease, so that others need not wait for its expiry. All work must have ended. A failure is ignored: the Lease expires. */
  async leave(): Promise<void> {
    this.#lose("it has left");
    await this.#writing;
    const { uid } = this.#lease.metadata;
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await withReleaseTimeout(this.#cluster.clock, (signal) => this.#cluster.delete(refOf(this.#lease), { signal, ...preconditions })).catch(
      () => undefined,
    );
  }

  /** The Lease has been seen to be deleted. */
  expel(): void {
    this.#lose("somebody has removed its Lease");
  }

  #schedule(ms: number): void {
    if (this.#lost.signal.aborted) return;
    this.#cancelRenewal = this.#cluster.clock.after(ms, () => this.#write(), { background: true });
  }

  /** Writes one at a time. Changes during a write go with the next one. */
  #write(): void {
    if (this.#lost.signal.aborted) return;
    this.#dirty = this.#writing !== undefined;
    this.#writing ??= this.#renew().finally(() => {
      this.#writing = undefined;
      if (this.#dirty) this.#write();
    });
  }

  async #renew(): Promise<void> {
    this.#cancelRenewal();
    const at = this.#cluster.clock.now();
    try {
      this.#lease = await this.#update(at);
      this.#renewedAt = at;
      this.#startWatchdog();
      // Counted from when the request was sent: slow responses must not add up.
      this.#schedule(Math.max(0, at + renewIntervalMs - this.#cluster.clock.now()));
    } catch (error) {
      if (isNotFound(error)) this.expel();
      else this.#schedule(retryAfterMs);
    }
  }

  async #update(at: number): Promise<KubeObject> {
    const { signal } = this.#lost;
    try {
      return await this.#cluster.replace(this.#next(at, this.#lease), { signal });
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
    // Somebody has labelled it, or our response was lost. Another Lease with this name is not ours.
    const found = await this.#cluster.get(refOf(this.#lease), { signal });
    if (found.metadata.uid !== this.#lease.metadata.uid) this.#lose("another Lease has taken its place");
    signal.throwIfAborted();
    return await this.#cluster.replace(this.#next(at, found), { signal });
  }

  #next(at: number, previous: KubeObject): KubeObject {
    return withShardLease(withGroupLabel(this.#group, leaseFor(this.#subject, this.#identity, at, previous)), this.#shardLease);
  }

  /** A hanging request must not hide the deadline. */
  #startWatchdog(): void {
    this.#cancelWatchdog();
    const left = this.#renewedAt + renewDeadlineMs - this.#cluster.clock.now();
    const late = () => this.#lose(`it could not be renewed for ${renewDeadlineMs / 1000} s`);
    this.#cancelWatchdog = this.#cluster.clock.after(left, late, { background: true });
  }

  #lose(because: string): void {
    this.#cancelRenewal();
    this.#cancelWatchdog();
    if (!this.#lost.signal.aborted) this.#lost.abort(new Fault(`${this.#subject.about} is out: ${because}`));
  }
}

function withGroupLabel(group: ShardGroup, lease: KubeObject): KubeObject {
  const labels = { ...lease.metadata.labels, [groupLabel]: group.name };
  return { ...lease, metadata: { ...lease.metadata, labels } };
}

/** Lease names are subdomains, identities are arbitrary. */
function slug(identity: string): string {
  return (
    identity
      .toLowerCase()
      .replaceAll(/[^a-z0-9.-]+/g, "-")
      .replaceAll(/[.-]*\.[.-]*/g, ".")
      .replaceAll(/^[.-]+|[.-]+$/g, "")
      .slice(0, 100) || "member"
  );
}

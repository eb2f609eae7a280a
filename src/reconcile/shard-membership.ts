import type { Cancel } from "../core/clock/index.ts";
import { Informer, isConflict, isNotFound, type Cluster } from "../kube/index.ts";
import { refOf, type KubeObject } from "../core/object/index.ts";
import { leaseDurationOf, leaseKind } from "./lease.ts";
import { shardMemberSelection, type ShardGroup } from "./shard-member.ts";

const retryAfterMs = 1_000;

/**
 * Watches the Leases of a group's members, and removes those that have expired.
 *
 * A member exists as long as its Lease. When a Lease has not changed for its own duration, measured by our clock since
 * we saw it, we delete it, but only in the version that we saw. So the API server decides, and a suspended process or
 * an outdated cache cannot remove a live member.
 */
export class ShardMembership {
  readonly #cluster: Cluster;
  readonly #ownName: () => string;
  readonly #expiries = new Map<string, Cancel>();
  readonly #group: ShardGroup;
  #informer: Informer | undefined;
  #synced = false;

  /** `own` is the name of our own Lease, which is never deleted here. */
  constructor(cluster: Cluster, group: ShardGroup, ownName: () => string) {
    this.#cluster = cluster;
    this.#group = group;
    this.#ownName = ownName;
  }

  /** All Leases at one moment. The lister can be ahead of the events. Empty before the first sync. */
  leases(): readonly KubeObject[] {
    return this.#synced ? [...(this.#informer?.lister.all() ?? [])] : [];
  }

  /** Watches the Leases until the signal aborts. `changed` is called after every event. */
  async watch(changed: () => void, signal: AbortSignal): Promise<void> {
    const informer = new Informer(this.#cluster, leaseKind, { ...shardMemberSelection(this.#group), signal });
    this.#informer = informer;
    try {
      for await (const change of informer) {
        if (change.type === "synced") this.#synced = true;
        else if (change.type === "deleted") this.#cancelExpiry(change.object.metadata.name);
        else if (change.type !== "interrupted") this.#expireAfter(leaseDurationOf(change.object), change.object, signal);
        changed();
      }
    } finally {
      this.#synced = false;
      for (const name of this.#expiries.keys()) this.#cancelExpiry(name);
    }
  }

  #cancelExpiry(name: string): void {
    this.#expiries.get(name)?.();
    this.#expiries.delete(name);
  }

  #expireAfter(ms: number, lease: KubeObject, signal: AbortSignal): void {
    const { name } = lease.metadata;
    this.#cancelExpiry(name);
    this.#expiries.set(
      name,
      this.#cluster.clock.after(ms, () => void this.#expire(lease, signal), { background: true }),
    );
  }

  async #expire(lease: KubeObject, signal: AbortSignal): Promise<void> {
    const { name, uid, resourceVersion } = lease.metadata;
    if (name === this.#ownName() || signal.aborted) return;
    const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    try {
      await this.#cluster.delete(refOf(lease), { preconditions, signal });
    } catch (error) {
      // It is already gone, or has been renewed: the watch reports which.
      if (isNotFound(error) || isConflict(error)) return;
      const known = this.#informer?.lister.find(this.#group.namespace, name)?.metadata;
      if (!signal.aborted && known?.resourceVersion === resourceVersion) this.#expireAfter(retryAfterMs, lease, signal);
    }
  }
}

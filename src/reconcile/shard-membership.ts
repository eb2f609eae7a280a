import type { Cancel } from "../core/clock/index.ts";
import { Informer, isConflict, isNotFound, type Cluster } from "../kube/index.ts";
import { refOf, type KubeObject } from "../core/object/index.ts";
import { leaseDurationOf, leaseKind } from "./lease.ts";
import { shardMemberSelection, type ShardGroup } from "./shard-member.ts";

const retryAfterMs = 1_000;

/**
 * The members of a group as their Leases tell, and the removal of those that fell silent.
 *
 * A member is gone when its Lease is: who has not changed its Lease for as long as it said, by our own clock from when
 * we saw it, has it removed, but only in the version that we saw. So the API server decides, and one of us who was
 * suspended, or looks at an old copy, cannot take the living for dead.
 */
export class ShardMembership {
  readonly #cluster: Cluster;
  readonly #own: () => string;
  readonly #expiries = new Map<string, Cancel>();
  readonly #group: ShardGroup;
  #informer: Informer | undefined;
  #synced = false;

  /** `own` is the name of our own Lease, which is not ours to remove here. */
  constructor(cluster: Cluster, group: ShardGroup, own: () => string) {
    this.#cluster = cluster;
    this.#group = group;
    this.#own = own;
  }

  /** All of them as they were at one moment: changes come one after the other, but what they lead to is there at once. Empty while that is not known. */
  leases(): readonly KubeObject[] {
    return this.#synced ? [...(this.#informer?.lister.all() ?? [])] : [];
  }

  /** Follows the Leases until the signal aborts; `changed` is called after every change. */
  async watch(changed: () => void, signal: AbortSignal): Promise<void> {
    const informer = new Informer(this.#cluster, leaseKind, { ...shardMemberSelection(this.#group), signal });
    this.#informer = informer;
    try {
      for await (const change of informer) {
        if (change.type === "synced") this.#synced = true;
        else if (change.type === "deleted") this.#forget(change.object.metadata.name);
        else if (change.type !== "interrupted") this.#expireAfter(leaseDurationOf(change.object), change.object, signal);
        changed();
      }
    } finally {
      this.#synced = false;
      for (const name of this.#expiries.keys()) this.#forget(name);
    }
  }

  #forget(name: string): void {
    this.#expiries.get(name)?.();
    this.#expiries.delete(name);
  }

  #expireAfter(ms: number, lease: KubeObject, signal: AbortSignal): void {
    const { name } = lease.metadata;
    this.#forget(name);
    this.#expiries.set(
      name,
      this.#cluster.clock.after(ms, () => void this.#expire(lease, signal), { background: true }),
    );
  }

  async #expire(lease: KubeObject, signal: AbortSignal): Promise<void> {
    const { name, uid, resourceVersion } = lease.metadata;
    if (name === this.#own() || signal.aborted) return;
    const preconditions = { ...(uid === undefined ? {} : { uid }), ...(resourceVersion === undefined ? {} : { resourceVersion }) };
    try {
      await this.#cluster.delete(refOf(lease), { preconditions, signal });
    } catch (error) {
      // It is gone already, or has been heard of: the watch will say which.
      if (isNotFound(error) || isConflict(error)) return;
      const known = this.#informer?.lister.find(this.#group.namespace, name)?.metadata;
      if (!signal.aborted && known?.resourceVersion === resourceVersion) this.#expireAfter(retryAfterMs, lease, signal);
    }
  }
}

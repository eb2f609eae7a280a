import { isForbidden, type Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { acquireTimeOf, leaseDurationOf, holderOf, leaseKind } from "../../reconcile/index.ts";
import type { HistoryOptions } from "./history.ts";
import { leaseNameOf } from "./release-lease.ts";
import type { Release } from "./revision.ts";

/** The holder of a release's Lease. Times are RFC 3339. */
export type LeaseHolder = {
  readonly name: string;
  readonly since: string;
  readonly heardOf: string;
  /** The holder is known to be dead, or its Lease has expired by our clock: the next command takes over. */
  readonly silent: boolean;
};

export type LeaseHolderOptions = HistoryOptions & {
  /** Whether a holder is certainly dead: a process of this machine that has ended. Default: never certain. */
  readonly hasDied?: (holder: string) => boolean;
};

/**
 * Reads the holder of a release's Lease. Nobody is known to those who may not read Leases, as with the ClusterRole `view`: all
 * else about the release is theirs to see.
 */
export async function readLeaseHolder(
  cluster: Cluster,
  release: Release,
  options: LeaseHolderOptions = {},
): Promise<LeaseHolder | undefined> {
  const { signal, hasDied } = options;
  const lease = await cluster
    .find({ ...leaseKind, namespace: release.namespace, name: leaseNameOf(release) }, { signal })
    .catch((error: unknown) => {
      if (isForbidden(error)) return undefined;
      throw error;
    });
  const holder = holderIn(lease, cluster.clock.now());
  return holder !== undefined && hasDied?.(holder.name) === true ? { ...holder, silent: true } : holder;
}

function holderIn(lease: KubeObject | undefined, nowMs: number): LeaseHolder | undefined {
  const name = holderOf(lease);
  if (lease === undefined || name === "") return undefined;
  const heardOf = stringAt(lease, "spec.renewTime", acquireTimeOf(lease));
  return { name, since: acquireTimeOf(lease), heardOf, silent: nowMs > Date.parse(heardOf) + leaseDurationOf(lease) };
}

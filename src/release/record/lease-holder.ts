import type { Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../core/object/index.ts";
import { acquireTimeOf, leaseDurationOf, holderOf, leaseKind } from "../../reconcile/index.ts";
import type { HistoryOptions } from "./history.ts";
import { leaseNameOf } from "./release-lease.ts";
import type { Release } from "./revision.ts";

/** Who is at work on a release, as its Lease says. Times are RFC 3339. */
export type LeaseHolder = {
  readonly name: string;
  readonly since: string;
  readonly heardOf: string;
  /** It is known to be no more, or by our clock should have been heard of again by now: the next command takes over. */
  readonly silent: boolean;
};

export type LeaseHolderOptions = HistoryOptions & {
  /** Knows for certain that a holder is no more: a process of this machine that has ended. Default: nobody knows. */
  readonly hasDied?: (holder: string) => boolean;
};

/** Reads who is at work on a release right now, if anybody is. */
export async function readLeaseHolder(
  cluster: Cluster,
  release: Release,
  options: LeaseHolderOptions = {},
): Promise<LeaseHolder | undefined> {
  const { signal, hasDied } = options;
  const lease = await cluster.find({ ...leaseKind, namespace: release.namespace, name: leaseNameOf(release) }, { signal });
  const holder = holderIn(lease, cluster.clock.now());
  return holder !== undefined && hasDied?.(holder.name) === true ? { ...holder, silent: true } : holder;
}

function holderIn(lease: KubeObject | undefined, nowMs: number): LeaseHolder | undefined {
  const name = holderOf(lease);
  if (lease === undefined || name === "") return undefined;
  const heardOf = stringAt(lease, "spec.renewTime", acquireTimeOf(lease));
  return { name, since: acquireTimeOf(lease), heardOf, silent: nowMs > Date.parse(heardOf) + leaseDurationOf(lease) };
}

import type { Cluster } from "../../kube/index.ts";
import { stringAt, type KubeObject } from "../../object/index.ts";
import type { HistoryOptions } from "./history.ts";
import { acquiredAt, durationOf, holderOf, leaseKind, leaseNameOf } from "./lease.ts";
import type { Release } from "./revision.ts";

/** Who is at work on a release, as its Lease says. Times are RFC 3339. */
export type Holder = {
  readonly name: string;
  readonly since: string;
  readonly heardOf: string;
  /** By our clock it should have been heard of again by now: the next command takes over. */
  readonly silent: boolean;
};

/** Reads who is at work on a release right now, if anybody is. */
export async function findHolder(cluster: Cluster, release: Release, options: HistoryOptions = {}): Promise<Holder | undefined> {
  const lease = await cluster.find({ ...leaseKind, namespace: release.namespace, name: leaseNameOf(release) }, options);
  return holderIn(lease, cluster.clock.now());
}

export function holderIn(lease: KubeObject | undefined, nowMs: number): Holder | undefined {
  const name = holderOf(lease);
  if (lease === undefined || name === "") return undefined;
  const heardOf = stringAt(lease, "spec.renewTime", acquiredAt(lease));
  return { name, since: acquiredAt(lease), heardOf, silent: nowMs > Date.parse(heardOf) + durationOf(lease) };
}

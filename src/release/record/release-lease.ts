import type { Cluster } from "../../kube/index.ts";
import { acquireLease, type AcquireLeaseOptions, type HeldLease, type LeaseLock, type LeaseWait } from "../../reconcile/index.ts";
import { releaseText, type Release } from "./revision.ts";

/** The name of the Lease that serializes the operations on a release, in the namespace of its records. */
export function leaseNameOf({ name }: Release): string {
  return `sluice.release.${name}`;
}

/** Takes the Lease of a release, and yields its holder while waiting for it. */
export function acquireReleaseLease(
  cluster: Cluster,
  release: Release,
  { durationMs, ...options }: AcquireLeaseOptions & Pick<LeaseLock, "durationMs">,
): AsyncGenerator<LeaseWait, HeldLease> {
  return acquireLease(
    cluster,
    { ...subjectOf(release), ...(durationMs === undefined ? {} : { durationMs }) },
    { outlastsOutages: true, ...options },
  );
}

function subjectOf(release: Release): LeaseLock {
  return { namespace: release.namespace, name: leaseNameOf(release), about: `release ${releaseText(release)}` };
}

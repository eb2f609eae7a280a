import type { Cluster } from "../../kube/index.ts";
import { acquire as acquireLease, type AcquireOptions, type Hold, type LeaseSubject, type Wait } from "../../reconcile/index.ts";
import { releaseText, type Release } from "./revision.ts";

/** The Lease that keeps the deploys of a release apart lives beside its records. */
export function leaseNameOf({ name }: Release): string {
  return `sluice.release.${name}`;
}

/** Takes the Lease of a release, waiting for as long as another deploy holds it, and tells who that is. */
export function acquire(cluster: Cluster, release: Release, options: AcquireOptions): AsyncGenerator<Wait, Hold> {
  return acquireLease(cluster, subjectOf(release), options);
}

function subjectOf(release: Release): LeaseSubject {
  return { namespace: release.namespace, name: leaseNameOf(release), about: `release ${releaseText(release)}` };
}

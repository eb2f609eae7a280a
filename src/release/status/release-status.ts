import type { Cluster } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Gate, Ordered } from "../order/index.ts";
import type { DesiredManifest } from "../plan/index.ts";
import { readLeaseHolder, latestOf, type LeaseHolder, type LeaseHolderOptions, type Release, type Revision } from "../record/index.ts";
import { readHealth, type HealthOptions, type ObjectHealth } from "../track/index.ts";
import { readRecordedObjects } from "./recorded-objects.ts";
import { readRevisions } from "./read-revisions.ts";
import { mayBeAbsent } from "./may-be-absent.ts";

/** The status of one object of a release. */
export type ObjectStatus = {
  readonly ref: ObjectRef;
  readonly state: "ready" | "progressing" | "failed" | "missing";
  readonly because?: string;
};

/** The status of a release. */
export type ReleaseStatus = {
  /** The latest revision. */
  readonly revision: Revision;
  readonly objects: readonly ObjectStatus[];
  /** The holder of its Lease. */
  readonly holder?: LeaseHolder;
  /** The release is deployed and all objects are ready. */
  readonly ready: boolean;
};

/** Reads the status of a release and of each of its objects. */
export async function readReleaseStatus(
  release: Release,
  cluster: Cluster,
  options: LeaseHolderOptions & Omit<HealthOptions, "known">,
): Promise<ReleaseStatus> {
  const revisions = await readRevisions(release, cluster, options);
  const revision = latestOf(revisions)!;
  const { wanted, left } = await readRecordedObjects(revisions, cluster);
  const members = [...wanted, ...left].filter(({ constraints }) => !constraints.hook);
  const [holder, objects] = await Promise.all([readLeaseHolder(cluster, release, options), readObjectStatuses(members, cluster, options)]);
  const ready = revision.state === "deployed" && objects.every(({ state }) => state === "ready");
  return { revision, objects, ...(holder === undefined ? {} : { holder }), ready };
}

/** Reads the health of objects, each by its own constraints. */
export async function readObjectStatuses(
  members: readonly Ordered<DesiredManifest>[],
  cluster: Cluster,
  options: Omit<HealthOptions, "known">,
): Promise<readonly ObjectStatus[]> {
  const healths = await readHealth(members.map(healthQueryOf), cluster, options);
  return healths.map((each, at) => objectStatus(each, members[at]!));
}

function healthQueryOf({ ref, constraints }: Ordered<DesiredManifest>): Parameters<typeof readHealth>[0][number] {
  const gate: Gate = constraints.health === undefined ? { until: "ready" } : { until: "rule", rule: constraints.health };
  return { ref, gates: [gate], tracking: constraints.tracking };
}

function objectStatus({ ref, live, health, hidden }: ObjectHealth, member: Ordered<DesiredManifest>): ObjectStatus {
  if (hidden !== undefined) return { ref, state: "progressing", because: `it cannot be looked at: ${hidden}` };
  if (live === undefined && mayBeAbsent(member.item.object, member.constraints.deletePolicies))
    return { ref, state: "ready", because: "it has done its part and is gone" };
  if (live === undefined && member.constraints.keep.create) return { ref, state: "ready", because: "it is not to be created" };
  const because = health.state === "ready" ? health.note : health.because;
  const state = live === undefined && health.state === "progressing" ? "missing" : health.state;
  return { ref, state, ...(because === undefined ? {} : { because }) };
}

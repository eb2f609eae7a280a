import type { Cluster } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { Gate, Ordered } from "../order/index.ts";
import type { Wanted } from "../plan/index.ts";
import { findHolder, latestOf, type Holder, type HolderOptions, type Release, type Revision } from "../record/index.ts";
import { look, type Looked } from "../track/index.ts";
import { recordedOf } from "./member.ts";
import { readRevisions } from "./revisions.ts";
import { mayBeGone } from "./transient.ts";

/** How one object of a release is doing. */
export type ObjectStatus = {
  readonly ref: ObjectRef;
  readonly state: "ready" | "progressing" | "failed" | "missing";
  readonly because?: string;
};

/** How a release is doing. */
export type ReleaseStatus = {
  /** The latest one. */
  readonly revision: Revision;
  readonly objects: readonly ObjectStatus[];
  /** Who is at work on it. */
  readonly holder?: Holder;
  /** It is deployed, and all of its objects are ready. */
  readonly ready: boolean;
};

/** Reads how a release and each of its objects are doing right now. */
export async function status(
  release: Release,
  cluster: Cluster,
  options: HolderOptions & { readonly signal: AbortSignal },
): Promise<ReleaseStatus> {
  const revisions = await readRevisions(release, cluster, options);
  const revision = latestOf(revisions)!;
  const { wanted, left } = await recordedOf(revisions, cluster);
  const members = [...wanted, ...left].filter(({ claims }) => !claims.hook);
  const [holder, objects] = await Promise.all([findHolder(cluster, release, options), objectStatuses(members, cluster, options)]);
  const ready = revision.state === "deployed" && objects.every(({ state }) => state === "ready");
  return { revision, objects, ...(holder === undefined ? {} : { holder }), ready };
}

/** Reads how objects are doing right now, each in the light of what it says of itself. */
export async function objectStatuses(
  members: readonly Ordered<Wanted>[],
  cluster: Cluster,
  options: { readonly signal: AbortSignal },
): Promise<readonly ObjectStatus[]> {
  const looked = await look(members.map(askedOf), cluster, options);
  return looked.map((each, at) => objectStatus(each, members[at]!));
}

function askedOf({ ref, claims }: Ordered<Wanted>): Parameters<typeof look>[0][number] {
  const gate: Gate = claims.health === undefined ? { until: "ready" } : { until: "rule", rule: claims.health };
  return { ref, gates: [gate], tracking: claims.tracking };
}

function objectStatus({ ref, live, health }: Looked, member: Ordered<Wanted>): ObjectStatus {
  if (live === undefined && mayBeGone(member.item.object, member.claims.deletePolicies))
    return { ref, state: "ready", because: "it has done its part and is gone" };
  if (live === undefined && member.claims.keep.create) return { ref, state: "ready", because: "it is not to be created" };
  const because = health.state === "ready" ? health.note : health.because;
  const state = live === undefined && health.state === "progressing" ? "missing" : health.state;
  return { ref, state, ...(because === undefined ? {} : { because }) };
}

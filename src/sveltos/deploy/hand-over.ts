import { clusterOfSummary, fieldManager, ownerChange } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, isNotFound } from "../../kube/index.ts";
import { isDeleting, keyOf, refOf, titleOf, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { listOtherSummaries } from "./charts/release-conflict.ts";
import { claimedObjectsOf, firstClaimant, ownerOf } from "./object-claims.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { isOwnedBy, isSameProfile } from "./tier-conflict.ts";

type Options = { readonly signal: AbortSignal };

/** Lists the other ClusterSummaries of the cluster that want an object. */
export type ListClaimants = (ref: ObjectRef) => readonly KubeObject[];

/** The claimants of objects: as the context knows them, or read from the management cluster. */
export async function readClaimants(
  scope: ClusterSummaryScope,
  { hub, claimants }: AddonContext,
  options: Options,
): Promise<ListClaimants> {
  if (claimants !== undefined) return claimants;
  const others = await listOtherSummaries(scope, hub, options);
  const byKey = Map.groupBy(
    others.flatMap((summary) => claimedObjectsOf(summary).map((ref) => [keyOf(ref), summary] as const)),
    ([key]) => key,
  );
  return (ref) => (byKey.get(keyOf(ref)) ?? []).map(([, summary]) => summary);
}

/** An object to hand over, as it was read, and those that want it. */
export type HandOver = { readonly ref: ObjectRef; readonly live: KubeObject; readonly claimants: readonly KubeObject[] };

/**
 * Makes objects that a profile leaves those of the profiles that want them: they are never gone in between. Whoever gets one
 * applies its own content afterwards, and removes it in the end.
 */
export async function handOverObjects(
  handOvers: readonly HandOver[],
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: Options,
): Promise<void> {
  for (const each of handOvers) await handOver(each, scope, context, options);
}

async function handOver(
  { ref, live, claimants }: HandOver,
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: Options,
): Promise<void> {
  const { hub, cluster } = context;
  const { signal } = options;
  // The same profile may want it under another name of the cluster.
  const same = claimants.find((claimant) => isSameProfile(ownerOf(claimant), scope.owner));
  const next = same ?? firstClaimant(claimants);
  const owner = next === undefined ? undefined : ownerOf(next);
  if (next === undefined || owner === undefined) throw nobodyLeft(ref);
  const written = await changeOwner(ref, live, (now) => ownerChange(now, owner, clusterOfSummary(next)), scope, context, options);
  if (written === undefined) return;
  // The claimant may have been removed at the same time. It has seen the new owner, unless it was removed before this read.
  const now = await hub.find(refOf(next), { signal });
  const isThere = now !== undefined && !isDeleting(now) && claimedObjectsOf(now).some((each) => keyOf(each) === keyOf(ref));
  if (isThere) return;
  const back = { metadata: { resourceVersion: written.metadata.resourceVersion, ...ownerChange(written, scope.owner, scope.cluster) } };
  await cluster.patch(ref, { type: "merge", patch: back }, { manager: fieldManager, signal }).catch((error: unknown) => {
    if (!isConflict(error) && !isNotFound(error)) throw error;
  });
  throw nobodyLeft(ref);
}

/** The next attempt looks again who wants the object. */
function nobodyLeft(ref: ObjectRef): Fault {
  return new Fault(`hand over ${titleOf(ref)}`, "the profile that was to get it has just been removed");
}

/** Gives the object as written; undefined when it is not the profile's any more. */
async function changeOwner(
  ref: ObjectRef,
  read: KubeObject,
  change: (live: KubeObject) => ReturnType<typeof ownerChange>,
  scope: ClusterSummaryScope,
  { cluster }: AddonContext,
  { signal }: Options,
): Promise<KubeObject | undefined> {
  for (
    let live: KubeObject | undefined = read;
    live !== undefined && isOwnedBy(live, scope.owner);
    live = await cluster.find(ref, { signal })
  ) {
    const patch = { metadata: { resourceVersion: live.metadata.resourceVersion, ...change(live) } };
    try {
      return await cluster.patch(ref, { type: "merge", patch }, { manager: fieldManager, signal });
    } catch (error) {
      // On a conflict the same change is made to the new object.
      if (isNotFound(error)) return undefined;
      if (!isConflict(error)) throw error;
    }
  }
  return undefined;
}

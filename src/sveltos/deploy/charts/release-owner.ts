import {
  clusterOfSummary,
  clusterSummaryName,
  owningProfileOf,
  releaseMarks,
  type ClusterId,
  type HelmReleaseSummary,
  type Ownership,
} from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { isDeleting, refOf, type KubeObject } from "../../../core/object/index.ts";
import { historyOf, latestOf, type Revision } from "../../../release/record/index.ts";
import { summaryStatusOf, type SummaryStatusStore } from "../summary-status-store.ts";
import { firstClaimant, ownerOf } from "../object-claims.ts";
import { findKeeper } from "../object-owner.ts";
import { isOwnedBy, isSameProfile } from "../tier-conflict.ts";
import type { AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import { heirsOf, isEntryFor, listOtherSummaries, releaseConflictOf } from "./release-conflict.ts";

type Release = { readonly name: string; readonly namespace: string };
type Options = { readonly signal: AbortSignal };

/** What a decision about a release rests on: its records, the profile's own entry, and the other ClusterSummaries of the cluster. */
export type ReleaseState = {
  readonly revisions: readonly Revision[];
  readonly own: HelmReleaseSummary | undefined;
  readonly otherSummaries: readonly KubeObject[];
};

/**
 * Why a profile may not manage a release; undefined when it may. The annotations of the newest record say who manages it. Without
 * them, before the first install or of an older version, the statuses of the ClusterSummaries do.
 */
export async function objectionToRelease(
  release: Release,
  { revisions, own, otherSummaries }: ReleaseState,
  scope: ClusterSummaryScope,
  { hub }: Pick<AddonContext, "hub">,
  options: Options,
): Promise<string | undefined> {
  const marks = marksOf(revisions);
  const found = marks === undefined ? undefined : owningProfileOf(marks);
  if (marks === undefined || found === undefined) return releaseConflictOf(release, scope, own, otherSummaries);
  if (isOwnedBy(marks, scope.owner) || scope.owner.tier < found.tier) return undefined;
  const keeper = await findKeeper(marks, found, (summary) => keepsRelease(summary, release), scope, hub, options);
  if (keeper === undefined || scope.owner.tier < keeper.tier) return undefined;
  const winner = clusterSummaryName(found.kind, found.name, scope.cluster);
  return `cannot manage chart ${release.namespace}/${release.name}. ClusterSummary ${winner} managing it.`;
}

/** Whether a profile counts a release as deployed that another one manages. */
export async function hasLostRelease(
  release: Release,
  { status }: Pick<SummaryStatusStore, "status">,
  scope: ClusterSummaryScope,
  { hub, cluster }: AddonContext,
  options: Options,
): Promise<boolean> {
  const revisions = await historyOf(cluster).revisions(release, options);
  const own = status.helmReleaseSummaries?.find((entry) => isEntryFor(entry, release));
  const otherSummaries = await listOtherSummaries(scope, hub, options);
  return (await objectionToRelease(release, { revisions, own, otherSummaries }, scope, { hub }, options)) !== undefined;
}

/** The annotations of the records that a profile writes. */
export function marksFor({ owner, cluster }: ClusterSummaryScope): Readonly<Record<string, string>> {
  const entries = Object.entries(releaseMarks(owner, cluster));
  return Object.fromEntries(entries.flatMap(([key, value]) => (value === null ? [] : [[key, value]])));
}

/** Whether a release that a profile has managed is its to uninstall: nobody else manages it by now. */
export async function isReleaseOwn(
  release: Release,
  revisions: readonly Revision[],
  scope: ClusterSummaryScope,
  { hub }: Pick<AddonContext, "hub">,
  options: Options,
): Promise<boolean> {
  const marks = marksOf(revisions);
  const found = marks === undefined ? undefined : owningProfileOf(marks);
  if (marks === undefined || found === undefined || isOwnedBy(marks, scope.owner)) return true;
  return (await findKeeper(marks, found, (summary) => keepsRelease(summary, release), scope, hub, options)) === undefined;
}

/** Whether the newest record of a release names this profile as its manager. */
export function isReleaseMarkedFor({ owner }: ClusterSummaryScope, revisions: readonly Revision[]): boolean {
  const marks = marksOf(revisions);
  return marks !== undefined && isOwnedBy(marks, owner);
}

/** The newest record as an object with marks; undefined when the release is not installed. */
function marksOf(revisions: readonly Revision[]): KubeObject | undefined {
  const latest = latestOf(revisions);
  if (latest === undefined || latest.state === "uninstalled") return undefined;
  const { name, namespace, annotations = {} } = latest;
  return { apiVersion: "v1", kind: "Secret", metadata: { name, namespace, annotations } };
}

function keepsRelease(summary: KubeObject, release: Release): boolean {
  const entries = summaryStatusOf(summary).helmReleaseSummaries ?? [];
  return summary.metadata.deletionTimestamp === undefined && entries.some((entry) => isEntryFor(entry, release));
}

/**
 * Makes an installed release the profile's, before it is changed. Gives false when somebody has written its record since it was
 * read.
 */
export async function claimRelease(
  revisions: readonly Revision[],
  scope: Pick<ClusterSummaryScope, "owner" | "cluster">,
  context: AddonContext,
  options: Options,
): Promise<boolean> {
  const marks = marksOf(revisions);
  const isMarked = marks !== undefined && isOwnedBy(marks, scope.owner) && owningProfileOf(marks)?.tier === scope.owner.tier;
  return isMarked || markRelease(revisions, scope.owner, scope.cluster, context, options);
}

/** Writes the marks of a profile and a cluster to the newest record. Gives false as `claimRelease` does. */
async function markRelease(
  revisions: readonly Revision[],
  owner: Ownership["owner"],
  id: ClusterId,
  { cluster }: AddonContext,
  { signal }: Options,
): Promise<boolean> {
  const latest = latestOf(revisions);
  if (latest === undefined || marksOf(revisions) === undefined) return true;
  try {
    await historyOf(cluster).annotate(latest, releaseMarks(owner, id), { signal });
    return true;
  } catch (error) {
    if (isConflict(error) || isNotFound(error)) return false;
    throw error;
  }
}

/**
 * Makes a release that a profile leaves that of the profile which is the first to want it. Gives false when nobody does. It looks
 * afterwards whether that one is still there, as `handOverObjects` does.
 */
export async function handOverRelease(
  release: Release,
  revisions: readonly Revision[],
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: Options,
): Promise<boolean> {
  const claimants = heirsOf(release, otherSummaries, scope).filter((summary) => !isDeleting(summary));
  // The same profile may want it under another name of the cluster.
  const next = claimants.find((claimant) => isSameProfile(ownerOf(claimant), scope.owner)) ?? firstClaimant(claimants);
  const owner = next === undefined ? undefined : ownerOf(next);
  if (next === undefined || owner === undefined) return false;
  const what = `hand over release ${release.namespace}/${release.name}`;
  if (!(await markRelease(revisions, owner, clusterOfSummary(next), context, options)))
    throw new Fault(what, "its record was changed meanwhile");
  const now = await context.hub.find(refOf(next), options);
  if (now !== undefined && !isDeleting(now) && heirsOf(release, [now], scope).length > 0) return true;
  const again = await historyOf(context.cluster).revisions(release, options);
  await claimRelease(again, scope, context, options);
  throw new Fault(what, "the profile that was to get it has just been removed");
}

import {
  claimedObjectsOf,
  claimedReleasesOf,
  claimKeysOf,
  firstClaimant,
  releaseKey,
  summaryStatusOf,
  tierOf,
  type AddonContext,
  type AddonOutcome,
} from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { equal, keyOf, type KubeObject } from "../../../core/object/index.ts";
import type { SummaryIndex } from "./summary-index.ts";
import { summaryKeyOf, type SummaryKey } from "./summary-key.ts";

type Contested = Required<Pick<AddonContext, "contested" | "contestedReleases">>;

/** What others of its cluster want too of what a ClusterSummary wants: at most one of them has each. */
export function contestedBy(summary: KubeObject, key: SummaryKey, summaryIndex: SummaryIndex): Contested {
  const isContested = (claim: string) => summaryIndex.claimantsOf(claim, key).length > 0;
  const releases = claimedReleasesOf(summary).map(({ releaseName: name, releaseNamespace: namespace }) => ({ name, namespace }));
  return {
    contested: claimedObjectsOf(summary).filter((ref) => isContested(keyOf(ref))),
    contestedReleases: releases.filter((release) => isContested(releaseKey(release))),
  };
}

/**
 * The ClusterSummaries to reconcile because of what another one wants by now. Of those that wait for something which it has given
 * up, the first gets it. When it has deployed something, the others look who has it.
 */
export function contendersAfter(change: ObjectChange, summaryIndex: SummaryIndex): readonly SummaryKey[] {
  const { object } = change;
  const key = summaryKeyOf(object);
  const before = change.type === "added" ? undefined : change.type === "modified" ? change.previous : object;
  const after = change.type === "deleted" ? undefined : object;
  const givenUp = givenUpBetween(before, after).flatMap((claim) => firstClaimant(summaryIndex.claimantsOf(claim, key)) ?? []);
  const isWon = after !== undefined && provisionedIn(after) > (before === undefined ? 0 : provisionedIn(before));
  const rivals = isWon ? claimKeysOf(after).flatMap((claim) => losersAmong(summaryIndex.claimantsOf(claim, key))) : [];
  const own = after !== undefined && waitsForNobody(before, after, key, summaryIndex) ? [after] : [];
  return [...new Set([...givenUp, ...rivals, ...own])].map(summaryKeyOf);
}

/**
 * The ClusterSummaries to reconcile after a deploy that has taken objects from others, or has failed: it may have taken some
 * before. Only those that count something as deployed look again after a failure, and only when it is another one than `before`:
 * two that fail, each for something that the other has, must not wake each other.
 */
export function rivalsAfter(
  { summary, displaced, settled }: AddonOutcome,
  before: KubeObject,
  summaryIndex: SummaryIndex,
): readonly SummaryKey[] {
  if (displaced.length === 0 && (settled || equal(failuresIn(before), failuresIn(summary)))) return [];
  const key = summaryKeyOf(summary);
  const select = displaced.length > 0 ? losersAmong : (claimants: readonly KubeObject[]) => claimants.filter(isProvisioned);
  const rivals = claimKeysOf(summary).flatMap((claim) => select(summaryIndex.claimantsOf(claim, key)));
  return [...new Set(rivals)].map(summaryKeyOf);
}

/** How many that wait for one object are told at once who has it by now. */
const maxInformed = 20;

/** Those that must look who has an object, and those that say so: where many wait, these find out when they try again. */
function losersAmong(claimants: readonly KubeObject[]): readonly KubeObject[] {
  return claimants.length <= maxInformed ? claimants : claimants.filter(isProvisioned);
}

/** What a ClusterSummary wanted before and wants no more, or less urgently. */
function givenUpBetween(before: KubeObject | undefined, after: KubeObject | undefined): readonly string[] {
  if (before === undefined) return [];
  const wanted = new Set(after !== undefined && tierOf(after) <= tierOf(before) ? claimKeysOf(after) : []);
  return claimKeysOf(before).filter((claim) => !wanted.has(claim));
}

/**
 * Whether a ClusterSummary has begun to wait for a release that nobody manages any more: its manager went while it was looked at.
 * Conflicts of releases are not tried again by themselves.
 */
function waitsForNobody(before: KubeObject | undefined, after: KubeObject, key: SummaryKey, summaryIndex: SummaryIndex): boolean {
  const known = new Set(before === undefined ? [] : releasesIn(before, "Conflict"));
  const begun = releasesIn(after, "Conflict").filter((claim) => !known.has(claim));
  return begun.some((claim) => !summaryIndex.claimantsOf(claim, key).some((other) => releasesIn(other, "Managing").includes(claim)));
}

function releasesIn(summary: KubeObject, status: "Conflict" | "Managing"): readonly string[] {
  const entries = claimedReleasesOf(summary).filter((entry) => entry.status === status);
  return entries.map(({ releaseName: name, releaseNamespace: namespace }) => releaseKey({ name, namespace }));
}

function isProvisioned(summary: KubeObject): boolean {
  return provisionedIn(summary) > 0;
}

function failuresIn(summary: KubeObject): readonly (string | undefined)[] {
  return (summaryStatusOf(summary).featureSummaries ?? [])
    .map(({ featureID, failureMessage }) => failureMessage && `${featureID}: ${failureMessage}`)
    .toSorted();
}

/** How many features are deployed. */
function provisionedIn(summary: KubeObject): number {
  return (summaryStatusOf(summary).featureSummaries ?? []).filter(({ status }) => status === "Provisioned").length;
}

import { claimedObjectsOf, firstClaimant, summaryStatusOf, tierOf, type AddonOutcome } from "../../deploy/index.ts";
import type { ObjectChange } from "../../../kube/index.ts";
import { keyOf, type KubeObject, type ObjectRef } from "../../../core/object/index.ts";
import type { SummaryIndex } from "./summary-index.ts";
import { summaryKeyOf, type SummaryKey } from "./summary-key.ts";

/** The objects of a ClusterSummary that others of its cluster want too: at most one of them has each. */
export function contestedObjectsOf(summary: KubeObject, key: SummaryKey, summaryIndex: SummaryIndex): readonly ObjectRef[] {
  return claimedObjectsOf(summary).filter((ref) => summaryIndex.claimantsOf(ref, key).length > 0);
}

/**
 * The ClusterSummaries to reconcile because of what another one wants by now. Of those that wait for an object which it has given
 * up, the first gets it. When it has deployed an object, the others look who has it.
 */
export function contendersAfter(change: ObjectChange, summaryIndex: SummaryIndex): readonly SummaryKey[] {
  const { object } = change;
  const key = summaryKeyOf(object);
  const before = change.type === "added" ? undefined : change.type === "modified" ? change.previous : object;
  const after = change.type === "deleted" ? undefined : object;
  const givenUp = givenUpBetween(before, after).flatMap((ref) => firstClaimant(summaryIndex.claimantsOf(ref, key)) ?? []);
  const isWon = after !== undefined && isProvisioned(after) && !(before !== undefined && isProvisioned(before));
  const rivals = isWon ? claimedObjectsOf(after).flatMap((ref) => losersAmong(summaryIndex.claimantsOf(ref, key))) : [];
  return [...new Set([...givenUp, ...rivals])].map(summaryKeyOf);
}

/**
 * The ClusterSummaries to reconcile after a deploy that has taken objects from others, or has failed: it may have taken some
 * before. Only those that count an object as deployed look again after a failure: two that fail must not wake each other.
 */
export function rivalsAfter({ summary, displaced, settled }: AddonOutcome, summaryIndex: SummaryIndex): readonly SummaryKey[] {
  if (settled && displaced.length === 0) return [];
  const key = summaryKeyOf(summary);
  const select = displaced.length > 0 ? losersAmong : (claimants: readonly KubeObject[]) => claimants.filter(isProvisioned);
  const rivals = claimedObjectsOf(summary).flatMap((ref) => select(summaryIndex.claimantsOf(ref, key)));
  return [...new Set(rivals)].map(summaryKeyOf);
}

/** How many that wait for one object are told at once who has it by now. */
const maxInformed = 20;

/** Those that must look who has an object, and those that say so: where many wait, these find out when they try again. */
function losersAmong(claimants: readonly KubeObject[]): readonly KubeObject[] {
  return claimants.length <= maxInformed ? claimants : claimants.filter(isProvisioned);
}

/** What a ClusterSummary wanted before and wants no more, or less urgently. */
function givenUpBetween(before: KubeObject | undefined, after: KubeObject | undefined): readonly ObjectRef[] {
  if (before === undefined) return [];
  const wanted = after !== undefined && tierOf(after) <= tierOf(before) ? new Set(claimedObjectsOf(after).map(keyOf)) : new Set<string>();
  return claimedObjectsOf(before).filter((ref) => !wanted.has(keyOf(ref)));
}

function isProvisioned(summary: KubeObject): boolean {
  return (summaryStatusOf(summary).featureSummaries ?? []).some(
    ({ featureID, status }) => featureID === "Resources" && status === "Provisioned",
  );
}

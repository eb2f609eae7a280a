import type { HelmReleaseSummary, Ownership } from "../api/index.ts";
import { isDeleting, keyOf, numberAt, stringAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import { owningProfile } from "./cluster-summary-scope.ts";
import { summaryStatusOf } from "./summary-status-store.ts";

/**
 * The objects that a ClusterSummary wants in its cluster, by its record: those that it has deployed, and those that it deploys as
 * soon as nobody else has them. One that is deleted or in DryRun wants none.
 */
export function claimedObjectsOf(summary: KubeObject): readonly ObjectRef[] {
  if (isDeleting(summary) || syncModeOf(summary) === "DryRun") return [];
  return recordedObjectsOf(summary);
}

/** The Helm releases that a ClusterSummary manages or waits for. One that is deleted or in DryRun wants none. */
export function claimedReleasesOf(summary: KubeObject): readonly HelmReleaseSummary[] {
  if (isDeleting(summary) || syncModeOf(summary) === "DryRun") return [];
  return summaryStatusOf(summary).helmReleaseSummaries ?? [];
}

/** A Helm release as a key beside those of objects. */
export function releaseKey({ name, namespace }: { readonly name: string; readonly namespace: string }): string {
  return `release ${namespace}/${name}`;
}

/** The keys of all that a ClusterSummary wants. */
export function claimKeysOf(summary: KubeObject): readonly string[] {
  const releases = claimedReleasesOf(summary).map(({ releaseName: name, releaseNamespace: namespace }) => releaseKey({ name, namespace }));
  return [...claimedObjectsOf(summary).map(keyOf), ...releases];
}

/** Whether a ClusterSummary keeps an object that its profile owns. One without a record, of another version, keeps everything. */
export function keepsObject(summary: KubeObject, ref: ObjectRef): boolean {
  if (isDeleting(summary)) return false;
  const hasRecord = (summaryStatusOf(summary).releases ?? []).some(({ featureID }) => featureID === "Resources");
  return !hasRecord || recordedObjectsOf(summary).some((each) => keyOf(each) === keyOf(ref));
}

function recordedObjectsOf(summary: KubeObject): readonly ObjectRef[] {
  const release = summaryStatusOf(summary).releases?.find(({ featureID }) => featureID === "Resources");
  if (release === undefined || release.state === "withdrawing") return [];
  // What has left the content, and is still to be removed, has no hash.
  return (release.objects ?? []).flatMap(({ hash, namespace = "", ...ref }) => (hash === undefined ? [] : [{ ...ref, namespace }]));
}

/** The tier of a ClusterSummary's profile. */
export function tierOf(summary: KubeObject): number {
  return numberAt(summary, "spec.clusterProfileSpec.tier", 100);
}

function syncModeOf(summary: KubeObject): string | undefined {
  return stringAt(summary, "spec.clusterProfileSpec.syncMode");
}

/** Of those that want an object, the ClusterSummary that gets it: of the lowest tier, and of equal ones the oldest. */
export function firstClaimant(claimants: readonly KubeObject[]): KubeObject | undefined {
  return claimants.toSorted(byPrecedence)[0];
}

function byPrecedence(a: KubeObject, b: KubeObject): number {
  return tierOf(a) - tierOf(b) || (ageText(a) < ageText(b) ? -1 : 1);
}

function ageText({ metadata: { creationTimestamp = "", name } }: KubeObject): string {
  return `${creationTimestamp} ${name}`;
}

/** The profile of a ClusterSummary as objects name their owner; undefined for a ClusterSummary without a profile. */
export function ownerOf(summary: KubeObject): Ownership["owner"] | undefined {
  const profile = owningProfile(summary);
  return profile === undefined ? undefined : { ...profile, tier: tierOf(summary) };
}

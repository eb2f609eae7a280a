import {
  deployedGvk,
  type ClusterSummaryStatus,
  type FeatureId,
  type FeatureRelease,
  type FeatureSummary,
  type HelmReleaseSummary,
} from "../api/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";

/** What happens to a status. */
export type StatusChange = (status: ClusterSummaryStatus) => ClusterSummaryStatus;

export const unchangedStatus: StatusChange = (status) => status;

type Entry = { readonly featureID: FeatureId };

function withEntry<T extends Entry>(entries: readonly T[] | undefined, entry: T): readonly T[] {
  const others = entries ?? [];
  const at = others.findIndex(({ featureID }) => featureID === entry.featureID);
  return at === -1 ? [...others, entry] : others.with(at, entry);
}

function withoutEntry<T extends Entry>(entries: readonly T[] | undefined, feature: FeatureId): readonly T[] {
  return (entries ?? []).filter(({ featureID }) => featureID !== feature);
}

/** A status after several changes. */
export function combineChanges(...changes: readonly StatusChange[]): StatusChange {
  return (status) => changes.reduce((changed, change) => change(changed), status);
}

export function withRelease(release: FeatureRelease): StatusChange {
  return (status) => ({ ...status, releases: withEntry(status.releases, release) });
}

export function withCharts(summaries: readonly HelmReleaseSummary[]): StatusChange {
  return (status) => ({ ...status, helmReleaseSummaries: summaries });
}

export function withGvks(featureID: FeatureId, refs: readonly ObjectRef[]): StatusChange {
  const deployedGroupVersionKind = [...new Set(refs.map(deployedGvk))];
  return (status) => ({ ...status, deployedGVKs: withEntry(status.deployedGVKs, { featureID, deployedGroupVersionKind }) });
}

/**
 * A status by which all is looked at and applied once more, as for `redeploy` and for those who lost an object to another
 * profile. What is deployed is still known, so no hook runs for it.
 */
export function resetFeatures({ featureSummaries, ...status }: ClusterSummaryStatus): ClusterSummaryStatus {
  const again = featureSummaries?.map(({ hash: _hash, ...rest }): FeatureSummary => ({ ...rest, status: "Provisioning" }));
  return { ...status, ...(again === undefined ? {} : { featureSummaries: again }) };
}

/** A feature is being brought to what this hash stands for. What went wrong before is kept until it is known to be over. */
export function markProvisioning(featureID: FeatureId, hash: string): StatusChange {
  return withSummary(featureID, (before) => ({ ...before, featureID, status: "Provisioning", hash }));
}

export function markProvisioned(featureID: FeatureId, hash: string, lastAppliedTime: string): StatusChange {
  return withSummary(featureID, () => ({ featureID, status: "Provisioned", hash, lastAppliedTime }));
}

/** DryRun: the feature is never more than under way. */
export function markDryRun(featureID: FeatureId, hash: string): StatusChange {
  return withSummary(featureID, () => ({ featureID, status: "Provisioning", hash }));
}

/** A feature has failed; how often in a row is counted. */
export function markFailed(featureID: FeatureId, failureMessage: string, isMissing: boolean): StatusChange {
  return withSummary(featureID, (before) => ({
    featureID,
    status: isMissing ? "FailedNonRetriable" : "Failed",
    failureMessage,
    consecutiveFailures: (before?.consecutiveFailures ?? 0) + 1,
    ...(before?.lastAppliedTime === undefined ? {} : { lastAppliedTime: before.lastAppliedTime }),
  }));
}

/** What the hash stands for is in the cluster, and not healthy. To be told the same again is no other failure. */
export function markUnhealthy(featureID: FeatureId, failureMessage: string, hash: string): StatusChange {
  const fail = markFailed(featureID, failureMessage, false);
  return (status) => {
    const before = status.featureSummaries?.find((each) => each.featureID === featureID);
    if (before?.status === "Failed" && before.hash === hash && before.failureMessage === failureMessage) return status;
    return withSummary(featureID, (after) => ({ featureID, ...after, hash }))(fail(status));
  };
}

/** Tells whether all that has failed is in the cluster, and only has to become healthy. */
export function isWaitingForHealth({ featureSummaries = [] }: ClusterSummaryStatus): boolean {
  const open = featureSummaries.filter(({ status }) => status !== "Provisioned" && status !== "Removed");
  return open.length > 0 && open.every(({ status, hash }) => status === "Failed" && hash !== undefined);
}

export function markRemoving(featureID: FeatureId): StatusChange {
  return withSummary(featureID, (before) => ({ ...before, featureID, status: "Removing" }));
}

/** Nothing of a feature is left; that it was there is still said. */
export function markRemoved(featureID: FeatureId): StatusChange {
  return combineChanges(
    dropFeature(featureID),
    withSummary(featureID, () => ({ featureID, status: "Removed" })),
  );
}

/** A feature that a profile no longer has, and of which nothing is left. */
export function dropFeature(featureID: FeatureId): StatusChange {
  return ({ featureSummaries, deployedGVKs, releases, ...rest }) => ({
    ...rest,
    ...(featureSummaries === undefined ? {} : { featureSummaries: withoutEntry(featureSummaries, featureID) }),
    ...(deployedGVKs === undefined ? {} : { deployedGVKs: withoutEntry(deployedGVKs, featureID) }),
    ...(releases === undefined ? {} : { releases: withoutEntry(releases, featureID) }),
  });
}

function withSummary(feature: FeatureId, make: (before: FeatureSummary | undefined) => FeatureSummary): StatusChange {
  return (status) => {
    const before = status.featureSummaries?.find(({ featureID }) => featureID === feature);
    return { ...status, featureSummaries: withEntry(status.featureSummaries, make(before)) };
  };
}

import {
  deployedGvk,
  type ClusterSummaryStatus,
  type FeatureId,
  type FeatureRelease,
  type FeatureSummary,
  type HelmReleaseSummary,
} from "../api/index.ts";
import type { KubeObject, ObjectRef } from "../../core/object/index.ts";

/** A change of a status. */
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

/** Makes several changes one after the other. */
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
 * Resets the features, so that all content is compared and applied again: for `redeploy`, and for a profile that lost an object
 * to another one. The records stay, so that no hook runs.
 */
export function resetFeatures({ featureSummaries, ...status }: ClusterSummaryStatus): ClusterSummaryStatus {
  const again = featureSummaries?.map(({ hash: _hash, ...rest }): FeatureSummary => ({ ...rest, status: "Provisioning" }));
  return { ...status, ...(again === undefined ? {} : { featureSummaries: again }) };
}

/** The status is about this generation from now on. */
export function observed({ metadata: { generation } }: KubeObject): StatusChange {
  return (status) => (generation === undefined ? status : { ...status, observedGeneration: generation });
}

/** The status is about another cluster than before, in which nothing is deployed yet. */
export function forgetDeployed(clusterUID: string): StatusChange {
  return ({
    observedGeneration: _generation,
    featureSummaries: _features,
    deployedGVKs: _gvks,
    helmReleaseSummaries: _charts,
    releases: _releases,
    ...rest
  }) => ({ ...rest, clusterUID });
}

/** A deploy of the content with this hash has started. The last failure stays until it succeeds. */
export function markProvisioning(featureID: FeatureId, hash: string): StatusChange {
  return withSummary(featureID, (before) => ({ ...before, featureID, status: "Provisioning", hash }));
}

export function markProvisioned(featureID: FeatureId, hash: string, lastAppliedTime: string): StatusChange {
  return withSummary(featureID, () => ({ featureID, status: "Provisioned", hash, lastAppliedTime }));
}

/** A feature in DryRun stays Provisioning. */
export function markDryRun(featureID: FeatureId, hash: string): StatusChange {
  return withSummary(featureID, () => ({ featureID, status: "Provisioning", hash }));
}

/** A feature has failed. Counts consecutive failures. */
export function markFailed(featureID: FeatureId, failureMessage: string, isNonRetriable: boolean): StatusChange {
  return withSummary(featureID, (before) => ({
    featureID,
    status: isNonRetriable ? "FailedNonRetriable" : "Failed",
    failureMessage,
    consecutiveFailures: (before?.consecutiveFailures ?? 0) + 1,
    ...(before?.lastAppliedTime === undefined ? {} : { lastAppliedTime: before.lastAppliedTime }),
  }));
}

/** The content with this hash is applied and not healthy. The same message again does not count as another failure. */
export function markUnhealthy(featureID: FeatureId, failureMessage: string, hash: string): StatusChange {
  const fail = markFailed(featureID, failureMessage, false);
  return (status) => {
    const before = status.featureSummaries?.find((each) => each.featureID === featureID);
    if (before?.status === "Failed" && before.hash === hash && before.failureMessage === failureMessage) return status;
    return withSummary(featureID, (after) => ({ featureID, ...after, hash }))(fail(status));
  };
}

/** Whether all failed features are applied and only have to become healthy. */
export function isWaitingForHealth({ featureSummaries = [] }: ClusterSummaryStatus): boolean {
  const open = featureSummaries.filter(({ status }) => status !== "Provisioned" && status !== "Removed");
  return open.length > 0 && open.every(({ status, hash }) => status === "Failed" && hash !== undefined);
}

export function markRemoving(featureID: FeatureId): StatusChange {
  return withSummary(featureID, (before) => ({ ...before, featureID, status: "Removing" }));
}

/** What a withdrawal waits for; without a text it waits for nothing any more. */
export function markHeld(featureID: FeatureId, because: string | undefined): StatusChange {
  return withSummary(featureID, (before) => {
    const { failureMessage: _before, ...rest } = before ?? {};
    return { ...rest, featureID, status: "Removing", ...(because === undefined ? {} : { failureMessage: because }) };
  });
}

/** Removes a feature that the profile no longer has. */
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

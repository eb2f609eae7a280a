import { clusterLabels, gvkOf, type HelmReleaseSummary } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { concerns } from "../../tenant/index.ts";
import { summaryStatusOf } from "../summary-status-store.ts";
import { owningProfile } from "../cluster-summary-scope.ts";
import { claimedReleasesOf } from "../object-claims.ts";
import type { ClusterSummaryScope } from "../addon-request.ts";
import type { ProfileRef } from "../tier-conflict.ts";

/** Another profile manages the release. A retry cannot help before it gives the release up. */
export class ReleaseConflict extends Fault {
  override readonly name = "ReleaseConflict";
}

type Release = { readonly name: string; readonly namespace: string };

/** Lists the other ClusterSummaries of the same cluster, which may have the same releases. */
export async function listOtherSummaries(
  { cluster, summary }: ClusterSummaryScope,
  hub: Cluster,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly KubeObject[]> {
  const labelSelector = Object.entries(clusterLabels(cluster))
    .map(([key, value]) => `${key}=${value}`)
    .join(",");
  const { items } = await hub.list(gvkOf("ClusterSummary"), { namespace: cluster.namespace, labelSelector, signal });
  return items.filter(({ metadata }) => metadata.name !== summary.metadata.name && metadata.deletionTimestamp === undefined);
}

/**
 * The conflict message when another profile manages a release; undefined otherwise. The lower tier manages it; with equal tiers
 * the one that has it.
 */
export function releaseConflictOf(
  release: Release,
  { summary, owner }: ClusterSummaryScope,
  own: HelmReleaseSummary | undefined,
  otherSummaries: readonly KubeObject[],
): string | undefined {
  const managing = otherSummaries.filter((each) =>
    (summaryStatusOf(each).helmReleaseSummaries ?? []).some((entry) => isEntryFor(entry, release) && entry.status === "Managing"),
  );
  const winner = managing.find((other) => {
    const tier = numberAt(other, "spec.clusterProfileSpec.tier", 100);
    if (tier !== owner.tier) return tier < owner.tier;
    // Both may have started at once: then the name decides.
    return own?.status !== "Managing" || other.metadata.name < summary.metadata.name;
  });
  if (winner === undefined) return undefined;
  return `cannot manage chart ${release.namespace}/${release.name}. ClusterSummary ${winner.metadata.name} managing it.`;
}

/** The profiles that have lost a release to this one: their status still lists it as managed. */
export function displacedFrom(releases: readonly Release[], otherSummaries: readonly KubeObject[]): readonly ProfileRef[] {
  return otherSummaries.flatMap((other) => {
    const managed = (summaryStatusOf(other).helmReleaseSummaries ?? []).filter(({ status }) => status === "Managing");
    const isDisplaced = managed.some((entry) => releases.some((release) => isEntryFor(entry, release)));
    return isDisplaced ? (owningProfile(other) ?? []) : [];
  });
}

/** The other profiles to which a release is left, and not uninstalled: they want it, and are the platform's or of the same tenant. */
export function heirsOf(
  release: Release,
  otherSummaries: readonly KubeObject[],
  { summary }: Pick<ClusterSummaryScope, "summary">,
): readonly KubeObject[] {
  return otherSummaries.filter((other) => concerns(other.metadata.labels, summary.metadata.labels) && wantsRelease(other, release));
}

/** Whether a ClusterSummary manages a release or waits for it. Names in its spec may be templates, those in its status are not. */
function wantsRelease(summary: KubeObject, release: Release): boolean {
  if (stringAt(summary, "spec.clusterProfileSpec.syncMode") === "DryRun") return false;
  const charts = listAt(summary, "spec.clusterProfileSpec.helmCharts");
  if (charts.length === 0) return false;
  return (
    claimedReleasesOf(summary).some((entry) => isEntryFor(entry, release)) ||
    charts.some(
      (chart) =>
        stringAt(chart, "releaseName") === release.name &&
        stringAt(chart, "releaseNamespace") === release.namespace &&
        stringAt(chart, "helmChartAction", "Install") === "Install",
    )
  );
}

export function isEntryFor({ releaseName, releaseNamespace }: HelmReleaseSummary, { name, namespace }: Release): boolean {
  return releaseName === name && releaseNamespace === namespace;
}

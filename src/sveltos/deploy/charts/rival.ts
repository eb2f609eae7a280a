import { clusterLabels, gvkOf, type HelmReleaseSummary } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { listAt, numberAt, stringAt, type KubeObject } from "../../../core/object/index.ts";
import { statusOf } from "../ledger.ts";
import { owningProfile } from "../assignment.ts";
import type { Assignment } from "../request.ts";
import type { Profile } from "../tier.ts";

/** Another profile manages a release. Only its going can help. */
export class ReleaseConflict extends Fault {
  override readonly name = "ReleaseConflict";
}

type Release = { readonly name: string; readonly namespace: string };

/** The other ClusterSummaries of the same cluster, which may want the same releases. */
export async function readRivals(
  { cluster, summary }: Assignment,
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
 * Why a release is not for this profile; nothing when it is. One profile manages a release: that of the lower tier, and of
 * equals the one that has it.
 */
export function objectionToRelease(
  release: Release,
  { summary, owner }: Assignment,
  own: HelmReleaseSummary | undefined,
  rivals: readonly KubeObject[],
): string | undefined {
  const managing = rivals.filter((each) =>
    (statusOf(each).helmReleaseSummaries ?? []).some((entry) => isOf(entry, release) && entry.status === "Managing"),
  );
  const winner = managing.find((rival) => {
    const tier = numberAt(rival, "spec.clusterProfileSpec.tier", 100);
    if (tier !== owner.tier) return tier < owner.tier;
    // Both may have begun at once: then all must agree on one of them.
    return own?.status !== "Managing" || rival.metadata.name < summary.metadata.name;
  });
  if (winner === undefined) return undefined;
  return `cannot manage chart ${release.namespace}/${release.name}. ClusterSummary ${winner.metadata.name} managing it.`;
}

/** The profiles that still take a release for theirs which this one has by now: a lower tier has taken it from them. */
export function displacedFrom(releases: readonly Release[], rivals: readonly KubeObject[]): readonly Profile[] {
  return rivals.flatMap((rival) => {
    const managed = (statusOf(rival).helmReleaseSummaries ?? []).filter(({ status }) => status === "Managing");
    const isLoser = managed.some((entry) => releases.some((release) => isOf(entry, release)));
    return isLoser ? (owningProfile(rival) ?? []) : [];
  });
}

/** Tells whether another profile waits for a release: then it is handed over, and not uninstalled. */
export function isWantedByOthers(release: Release, rivals: readonly KubeObject[]): boolean {
  return rivals.some((rival) =>
    listAt(rival, "spec.clusterProfileSpec.helmCharts").some(
      (chart) =>
        stringAt(chart, "releaseName") === release.name &&
        stringAt(chart, "releaseNamespace") === release.namespace &&
        stringAt(chart, "helmChartAction", "Install") === "Install",
    ),
  );
}

export function isOf({ releaseName, releaseNamespace }: HelmReleaseSummary, { name, namespace }: Release): boolean {
  return releaseName === name && releaseNamespace === namespace;
}

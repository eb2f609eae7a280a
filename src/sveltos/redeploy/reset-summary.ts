import { refOf, stringsAt, type KubeObject } from "../../core/object/index.ts";
import { isConflict, isNotFound, type Cluster } from "../../kube/index.ts";
import type { FleetClusterRef, ProfileOutline } from "../../view/index.ts";
import { resetFeatures, summaryStatusOf } from "../deploy/index.ts";
import { clusterRefIn, ownerProfileOf } from "../inspect/index.ts";

/** Whether the status of one ClusterSummary was reset. One that is being deleted is left alone. */
export type ResetResult = {
  readonly cluster: FleetClusterRef;
  readonly profile: ProfileOutline;
  readonly clusterSummary: { readonly namespace: string; readonly name: string };
  readonly reset: boolean;
};

/** The profile that a ClusterSummary deploys. */
export function ownerOf(summary: KubeObject): ProfileOutline {
  return ownerProfileOf(summary) ?? { kind: "ClusterProfile", name: "" };
}

/**
 * Orders the ClusterSummaries of a cluster. Dependencies are reset first: a dependant that is deployed before them would count as
 * up to date too soon.
 */
export function dependenciesFirst(summaries: readonly KubeObject[]): readonly KubeObject[] {
  const byProfile = Map.groupBy(summaries, (summary) => ownerOf(summary).name);
  const seen = new Set<KubeObject>();
  const ordered: KubeObject[] = [];
  const visit = (summary: KubeObject) => {
    if (seen.has(summary)) return;
    seen.add(summary);
    for (const name of stringsAt(summary, "spec.clusterProfileSpec.dependsOn")) byProfile.get(name)?.forEach(visit);
    ordered.push(summary);
  };
  summaries.forEach(visit);
  return ordered;
}

/** Resets the status of a ClusterSummary. */
export async function resetSummary(summary: KubeObject, hub: Cluster, signal: AbortSignal): Promise<ResetResult> {
  const { namespace = "", name } = summary.metadata;
  const isReset = await resetStatus(summary, hub, signal);
  return { cluster: clusterRefIn(summary), profile: ownerOf(summary), clusterSummary: { namespace, name }, reset: isReset };
}

/** Retries on a conflict: the controller writes the same status. */
async function resetStatus(summary: KubeObject, hub: Cluster, signal: AbortSignal): Promise<boolean> {
  for (let live: KubeObject | undefined = summary; live !== undefined; live = await hub.find(refOf(summary), { signal })) {
    if (live.metadata.deletionTimestamp !== undefined) return false;
    try {
      await hub.replace({ ...live, status: resetFeatures(summaryStatusOf(live)) }, { subresource: "status", signal });
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
  return false;
}

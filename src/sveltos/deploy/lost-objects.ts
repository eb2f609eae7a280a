import { hashAnnotation, owningProfileOf } from "../api/index.ts";
import { isUnknownKind } from "../../kube/index.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { isOwnedBy } from "./tier-conflict.ts";

/**
 * Whether a profile counts an object as deployed that another one has, or that was handed over to it. An object that is gone, or
 * without an owner, was changed by somebody else and stays as it is.
 */
export async function hasLostObjects(
  { owner, summary }: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  { cluster, contested = [] }: AddonContext,
  { signal }: { readonly signal: AbortSignal },
): Promise<boolean> {
  if (summary.profile.syncMode === "DryRun" || statusStore.featureSummary("Resources")?.status !== "Provisioned") return false;
  for (const ref of contested) {
    const live = await cluster.find(ref, { signal }).catch((error: unknown) => {
      if (isUnknownKind(error)) return undefined;
      throw error;
    });
    if (live === undefined || owningProfileOf(live) === undefined) continue;
    if (!isOwnedBy(live, owner) || live.metadata.annotations?.[hashAnnotation] === undefined) return true;
  }
  return false;
}

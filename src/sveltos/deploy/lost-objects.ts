import { hashAnnotation, owningProfileOf } from "../api/index.ts";
import { isUnknownKind } from "../../kube/index.ts";
import type { ObjectRef } from "../../core/object/index.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { hasLostRelease } from "./charts/release-owner.ts";
import { isOwnedBy } from "./tier-conflict.ts";

type Options = { readonly signal: AbortSignal };

/**
 * Whether a profile counts an object or a release as deployed that another one has, or that was handed over to it. An object that
 * is gone, or without an owner, was changed by somebody else and stays as it is.
 */
export async function hasLostObjects(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: Options,
): Promise<boolean> {
  const { contested = [], contestedReleases = [] } = context;
  if (scope.summary.profile.syncMode === "DryRun") return false;
  if (statusStore.featureSummary("Resources")?.status === "Provisioned")
    for (const ref of contested) if (await hasLostObject(ref, scope, context, options)) return true;
  if (statusStore.featureSummary("Helm")?.status === "Provisioned")
    for (const release of contestedReleases) if (await hasLostRelease(release, statusStore, scope, context, options)) return true;
  return false;
}

async function hasLostObject(
  ref: ObjectRef,
  { owner }: ClusterSummaryScope,
  { cluster }: AddonContext,
  options: Options,
): Promise<boolean> {
  const live = await cluster.find(ref, options).catch((error: unknown) => {
    if (isUnknownKind(error)) return undefined;
    throw error;
  });
  if (live === undefined || owningProfileOf(live) === undefined) return false;
  return !isOwnedBy(live, owner) || live.metadata.annotations?.[hashAnnotation] === undefined;
}

import type { ClusterReportStatus, ResourceReport } from "../api/index.ts";
import { keyOf, type ObjectRef } from "../../core/object/index.ts";
import type { DryRunResult } from "../../release/plan/index.ts";
import { deployedResource } from "./cluster-configuration.ts";
import type { ContentRendering } from "./read-content.ts";
import { localOwner, readDesiredResources } from "./desired-resources.ts";
import { diffText } from "./diff-text.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { ProfileManifest } from "./profile-manifest.ts";
import { proposeResources, type ResourceProposal } from "./propose-resources.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { uniqueRefsOf, type FeatureResult } from "./deploy-resources.ts";
import { combineChanges, markDryRun, withGvks, type StatusChange } from "./status-change.ts";

/** Says what deploying would do, as a ClusterReport tells it. Nothing in the cluster is touched. */
export async function dryRunResources(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): Promise<FeatureResult & { readonly report: ClusterReportStatus }> {
  const { signal } = options;
  const desiredResources = await readDesiredResources(scope, rendering, context, options);
  const local = await localOwner(scope, context.cluster, { signal });
  const proposal = await proposeResources(desiredResources, scope, statusStore, context, { signal, local, inFull: true });
  await statusStore.update(
    combineChanges(markDryRun("Resources", desiredResources.hash), gvksFor(statusStore, desiredResources.manifests)),
    signal,
  );
  const resourceReports = [
    ...desiredResources.manifests.map((piece) => reportOn(piece, proposal, statusStore.now())),
    ...removalsIn(proposal),
  ];
  return { feature: undefined, failed: false, report: { resourceReports } };
}

/** What is deployed already must still be found again: its kinds stay listed. */
function gvksFor(statusStore: SummaryStatusStore, profileManifests: readonly ProfileManifest[]): StatusChange {
  return statusStore.featureRelease("Resources") === undefined ? withGvks("Resources", uniqueRefsOf(profileManifests)) : (status) => status;
}

function reportOn(piece: ProfileManifest, { conflicts, found }: ResourceProposal, time: string): ResourceReport {
  const resource = deployedResource(piece, time);
  const conflict = conflicts.find((each) => each.manifest === piece);
  if (conflict !== undefined) return { action: "Conflict", message: conflict.message, resource };
  const { dryRun, exists = false } = found.facts.get(keyOf(piece.ref)) ?? {};
  const { live, next } = found.objects.get(keyOf(piece.ref)) ?? {};
  const action = actionFor(dryRun, exists);
  if (action === "Error" && dryRun !== undefined && "because" in dryRun) return { action, message: dryRun.because, resource };
  if (action !== "Update" || live === undefined || next === undefined) return { action, resource };
  return { action, message: diffText(live, next), resource };
}

function actionFor(verdict: DryRunResult | undefined, exists: boolean): NonNullable<ResourceReport["action"]> {
  if (verdict?.outcome === "unchanged") return "No Action";
  if (verdict?.outcome === "refused") return "Error";
  return exists ? "Update" : "Create";
}

function removalsIn({ plan }: ResourceProposal): readonly ResourceReport[] {
  const refs = plan.steps.flatMap(({ action, onlyIf }): ObjectRef[] =>
    action.verb === "delete" && onlyIf === undefined ? [action.ref] : [],
  );
  return refs.map(({ group, version, kind, namespace, name }) => ({
    action: "Delete",
    resource: { group, version, kind, ...(namespace === "" ? {} : { namespace }), name, owner: {}, ignoreForConfigurationDrift: false },
  }));
}

import type { ClusterReportStatus, ResourceReport } from "../api/index.ts";
import { keyOf, titleOf, type ObjectRef } from "../../core/object/index.ts";
import type { DeferredCheck, DryRunResult } from "../../release/plan/index.ts";
import { deployedResource } from "./cluster-configuration.ts";
import type { ContentRendering } from "./read-content.ts";
import { localOwner, readDesiredResources } from "./desired-resources.ts";
import { diffText } from "./diff-text.ts";
import type { SummaryStatusStore } from "./summary-status-store.ts";
import type { ProfileManifest } from "./profile-manifest.ts";
import { proposeResources, type ResourceProposal } from "./propose-resources.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { uniqueRefsOf } from "./deploy-resources.ts";
import type { FeatureResult } from "./feature-result.ts";
import { combineChanges, markDryRun, withGvks, type StatusChange } from "./status-change.ts";

/** Reports what deploying would do, in the form of a ClusterReport. Writes nothing to the cluster. */
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
  const deferred = deferredChecksIn(proposal);
  const resourceReports = [
    ...desiredResources.manifests.map((profileManifest) => reportOn(profileManifest, proposal, deferred, statusStore.now())),
    ...removalsIn(proposal),
  ];
  return { feature: undefined, failed: false, report: { resourceReports } };
}

/** Keeps the kinds of what is deployed, by which it is found again. */
function gvksFor(statusStore: SummaryStatusStore, profileManifests: readonly ProfileManifest[]): StatusChange {
  return statusStore.featureRelease("Resources") === undefined ? withGvks("Resources", uniqueRefsOf(profileManifests)) : (status) => status;
}

/** The checks that earlier steps have to come before, by `keyOf`. */
function deferredChecksIn({ plan }: ResourceProposal): ReadonlyMap<string, DeferredCheck> {
  return new Map(
    plan.steps.flatMap(({ action }) =>
      action.verb === "apply" && action.deferred !== undefined ? [[keyOf(action.ref), action.deferred] as const] : [],
    ),
  );
}

function reportOn(
  profileManifest: ProfileManifest,
  { conflicts, found }: ResourceProposal,
  deferred: ReadonlyMap<string, DeferredCheck>,
  time: string,
): ResourceReport {
  const resource = deployedResource(profileManifest, time);
  const conflict = conflicts.find((each) => each.manifest === profileManifest);
  if (conflict !== undefined) return { action: "Conflict", message: conflict.message, resource };
  const { dryRun, exists = false } = found.facts.get(keyOf(profileManifest.ref)) ?? {};
  const check = deferred.get(keyOf(profileManifest.ref));
  if (check !== undefined) {
    const message = `will be checked after ${check.after.map(titleOf).join(", ")}`;
    return { action: exists ? "Update" : "Create", message, resource };
  }
  const { live, next } = found.objects.get(keyOf(profileManifest.ref)) ?? {};
  const action = actionFor(dryRun, exists);
  if (action === "Error" && dryRun !== undefined && "because" in dryRun) return { action, message: dryRun.because, resource };
  if (action !== "Update" || live === undefined || next === undefined) return { action, resource };
  return { action, message: diffText(live, next), resource };
}

function actionFor(dryRun: DryRunResult | undefined, exists: boolean): NonNullable<ResourceReport["action"]> {
  if (dryRun?.outcome === "unchanged") return "No Action";
  if (dryRun?.outcome === "refused") return "Error";
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

import { featureIds, type FeatureId } from "../api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { failureText } from "./failure-text.ts";
import { summaryScopeForWithdrawal } from "./cluster-summary-scope.ts";
import { leaveCharts, withdrawCharts } from "./charts/withdraw-charts.ts";
import { SummaryStatusStore, Superseded } from "./summary-status-store.ts";
import type { AddonOptions, AddonRequest, AddonContext, AddonProgress } from "./addon-request.ts";
import { combineChanges, markFailed, observed } from "./status-change.ts";
import { leaveResources, withdrawResources } from "./withdraw-resources.ts";

/**
 * Withdraws a profile from a cluster that it no longer matches, or because it is deleted. Depending on stopMatchingBehavior the
 * deployed objects are deleted in order, or stay without an owner. A profile in DryRun changes nothing. When `settled` is
 * true, the finalizer of the ClusterSummary can be removed.
 */
export async function* withdrawProfile(request: AddonRequest, context: AddonContext, options: AddonOptions): AsyncGenerator<AddonProgress> {
  const statusStore = new SummaryStatusStore(request.summary, context.hub);
  const { signal } = options;
  let settled = true;
  for (const feature of ["Helm", "Resources"] as const) {
    try {
      yield* withdrawFeature(feature, request, statusStore, context, options);
    } catch (error) {
      if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
      const failed = markFailed(feature, failureText(context, request)(error), false);
      await statusStore.update(combineChanges(failed, observed(statusStore.summary)), signal);
      settled = false;
    }
  }
  const { summary, status } = statusStore;
  yield {
    type: "settled",
    outcome: {
      summary,
      status,
      settled,
      final: false,
      features: [],
      keptFeatures: settled ? [] : featureIds,
      displaced: [],
      unserved: [],
      report: undefined,
    },
  };
}

async function* withdrawFeature(
  feature: "Helm" | "Resources",
  request: AddonRequest,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<AddonProgress> {
  const scope = summaryScopeForWithdrawal(request);
  const { syncMode, stopMatchingBehavior } = scope.summary.profile;
  if (syncMode === "DryRun" || !isDeployed(feature, statusStore)) return;
  if (stopMatchingBehavior === "LeavePolicies")
    return feature === "Helm" ? await leaveCharts(statusStore, options) : await leaveResources(scope, statusStore, context, options);
  const withdraw = feature === "Helm" ? withdrawCharts : withdrawResources;
  for await (const event of withdraw(scope, statusStore, context, options)) yield { type: "progress", feature, event };
}

function isDeployed(feature: FeatureId, statusStore: SummaryStatusStore): boolean {
  const releases = feature === "Helm" ? (statusStore.status.helmReleaseSummaries ?? []) : [];
  return releases.length > 0 || statusStore.featureRelease(feature) !== undefined || statusStore.featureSummary(feature) !== undefined;
}

import type { Progress } from "../../../release/index.ts";
import type { SummaryStatusStore } from "../summary-status-store.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import type { FeatureResult } from "../feature-result.ts";
import { HeldWithdrawal } from "../held-withdrawal.ts";
import { combineChanges, dropFeature, markRemoving, withCharts } from "../status-change.ts";
import { uninstallCharts } from "./deploy-charts.ts";
import { listOtherSummaries } from "./release-conflict.ts";

/** Uninstalls the releases that a profile manages, the last first, and removes them from the status. */
export async function* withdrawCharts(
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress, FeatureResult> {
  const { signal } = options;
  const otherSummaries = await listOtherSummaries(scope, context.hub, { signal });
  await statusStore.update(markRemoving("Helm"), signal);
  const held = new HeldWithdrawal("Helm", statusStore, context.cluster.clock, signal);
  const releases = statusStore.status.helmReleaseSummaries ?? [];
  try {
    for await (const event of uninstallCharts(releases, otherSummaries, scope, statusStore, context, options)) {
      held.observe(event);
      yield event;
    }
  } finally {
    await held.end();
  }
  await leaveCharts(statusStore, options);
  return { feature: { featureID: "Helm", charts: [] }, failed: false };
}

/** LeavePolicies: keeps the releases and removes them from the status. */
export function leaveCharts(statusStore: SummaryStatusStore, { signal }: AddonOptions): Promise<void> {
  return statusStore.update(combineChanges(withCharts([]), dropFeature("Helm")), signal);
}

import type { ClusterReportStatus, ReleaseReport } from "../../api/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { latestOf } from "../../../release/record/index.ts";
import type { ContentRendering } from "../read-content.ts";
import type { SummaryStatusStore } from "../summary-status-store.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import type { FeatureResult } from "../feature-result.ts";
import { markDryRun } from "../status-change.ts";
import { readReleaseRevisions } from "./install-chart.ts";
import { heirsOf, isEntryFor, listOtherSummaries } from "./release-conflict.ts";
import { objectionToRelease } from "./release-owner.ts";
import { readDesiredCharts, type DesiredChart } from "./desired-charts.ts";

/** Reports what deploying would do with a profile's releases. Fetches no charts and writes nothing. */
export async function dryRunCharts(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): Promise<FeatureResult & { readonly report: ClusterReportStatus }> {
  const { signal } = options;
  const desiredCharts = await readDesiredCharts(scope, rendering, context, options);
  const otherSummaries = await listOtherSummaries(scope, context.hub, { signal });
  const entries = statusStore.status.helmReleaseSummaries ?? [];
  const releaseReports: ReleaseReport[] = [];
  for (const desiredChart of desiredCharts.charts)
    releaseReports.push(await reportOn(desiredChart, otherSummaries, scope, statusStore, context, signal));
  for (const entry of entries.filter(
    (each) => each.status === "Managing" && !desiredCharts.charts.some(({ release }) => isEntryFor(each, release)),
  )) {
    const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
    const action = heirsOf(release, otherSummaries, scope).length > 0 ? "No Action" : "Delete";
    releaseReports.push({ action, chartName: release.name, releaseNamespace: release.namespace, chartVersion: "" });
  }
  await statusStore.update(markDryRun("Helm", desiredCharts.hash), signal);
  return { feature: undefined, failed: false, report: { releaseReports } };
}

async function reportOn(
  desiredChart: DesiredChart,
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  { cluster, hub }: AddonContext,
  signal: AbortSignal,
): Promise<ReleaseReport> {
  const { chart, release, valuesHash } = desiredChart;
  const own = statusStore.status.helmReleaseSummaries?.find((entry) => isEntryFor(entry, release));
  const common = { chartName: release.name, releaseNamespace: release.namespace, chartVersion: chart.chartVersion };
  const revisions = await readReleaseRevisions(release, cluster, signal);
  const objection = await objectionToRelease(release, { revisions, own, otherSummaries }, scope, { hub }, { signal });
  if (objection !== undefined) return { action: "Conflict", message: objection, ...common };
  const latest = latestOf(revisions);
  const isThere = latest !== undefined && latest.state !== "uninstalled";
  if (chart.helmChartAction === "Uninstall") return { action: isThere ? "Delete" : "No Action", ...common };
  if (!isThere) return { action: "Install", ...common };
  const version = stringAt(latest.chart, "metadata.version", "");
  if (version !== chart.chartVersion || latest.state !== "deployed")
    return { action: "Upgrade", message: `current version: ${JSON.stringify(version)}`, ...common };
  return { action: own?.valuesHash === valuesHash ? "No Action" : "Update Values", ...common };
}

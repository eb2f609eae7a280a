import type { ClusterReportStatus, ReleaseReport } from "../../api/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { latestOf } from "../../../release/record/index.ts";
import type { Making } from "../content.ts";
import type { Ledger } from "../ledger.ts";
import type { AddonOptions, AddonSite, Assignment } from "../request.ts";
import type { FeatureResult } from "../resources.ts";
import { rehearsed } from "../status.ts";
import { readRevisions } from "./perform.ts";
import { isOf, isWantedByOthers, objectionToRelease, readRivals } from "./rival.ts";
import { readWishes, type Wish } from "./wish.ts";

/** Says what would become of a profile's releases. Nothing is fetched and nothing touched. */
export async function rehearseCharts(
  assignment: Assignment,
  making: Making,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): Promise<FeatureResult & { readonly report: ClusterReportStatus }> {
  const { signal } = options;
  const wishes = await readWishes(assignment, making, site, options);
  const rivals = await readRivals(assignment, site.hub, { signal });
  const entries = ledger.status.helmReleaseSummaries ?? [];
  const releaseReports: ReleaseReport[] = [];
  for (const wish of wishes.charts) releaseReports.push(await reportOn(wish, rivals, assignment, ledger, site, signal));
  for (const entry of entries.filter((each) => each.status === "Managing" && !wishes.charts.some(({ release }) => isOf(each, release)))) {
    const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
    const action = isWantedByOthers(release, rivals) ? "No Action" : "Delete";
    releaseReports.push({ action, chartName: release.name, releaseNamespace: release.namespace, chartVersion: "" });
  }
  await ledger.update(rehearsed("Helm", wishes.hash), signal);
  return { feature: undefined, failed: false, report: { releaseReports } };
}

async function reportOn(
  wish: Wish,
  rivals: readonly KubeObject[],
  assignment: Assignment,
  ledger: Ledger,
  { cluster }: AddonSite,
  signal: AbortSignal,
): Promise<ReleaseReport> {
  const { chart, release, valuesHash } = wish;
  const own = ledger.status.helmReleaseSummaries?.find((entry) => isOf(entry, release));
  const common = { chartName: release.name, releaseNamespace: release.namespace, chartVersion: chart.chartVersion };
  const objection = objectionToRelease(release, assignment, own, rivals);
  if (objection !== undefined) return { action: "Conflict", message: objection, ...common };
  const latest = latestOf(await readRevisions(release, cluster, signal));
  const isThere = latest !== undefined && latest.state !== "uninstalled";
  if (chart.helmChartAction === "Uninstall") return { action: isThere ? "Delete" : "No Action", ...common };
  if (!isThere) return { action: "Install", ...common };
  const version = stringAt(latest.chart, "metadata.version", "");
  if (version !== chart.chartVersion || latest.state !== "deployed")
    return { action: "Upgrade", message: `current version: ${JSON.stringify(version)}`, ...common };
  return { action: own?.valuesHash === valuesHash ? "No Action" : "Update Values", ...common };
}

import type { HelmReleaseSummary } from "../../api/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Story } from "../../../release/index.ts";
import { latestOf } from "../../../release/record/index.ts";
import type { Making } from "../content.ts";
import { unhealthy } from "../health.ts";
import type { Ledger } from "../ledger.ts";
import type { AddonOptions, AddonSite, Assignment } from "../request.ts";
import type { FeatureResult } from "../resources.ts";
import { ailing, provisioned, provisioning, withCharts } from "../status.ts";
import { deployedChart, install, readRevisions, uninstall } from "./perform.ts";
import { displacedFrom, isOf, isWantedByOthers, objectionToRelease, readRivals, ReleaseConflict } from "./rival.ts";
import { readWishes, type Wish, type Wishes } from "./wish.ts";

/**
 * Brings a profile's helmCharts into the cluster, one after the other as they are listed; the first that fails stops the
 * rest. Releases that the profile no longer has go at the end. Each is a release of Helm's, with its records.
 */
export async function* deployCharts(
  assignment: Assignment,
  making: Making,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story, FeatureResult> {
  const { signal } = options;
  const wishes = await readWishes(assignment, making, site, options);
  const before = ledger.summaryOf("Helm");
  if (before?.status === "Provisioned" && before.hash === wishes.hash)
    return resultOf(wishes, before.lastAppliedTime ?? ledger.now(), site, signal, false);
  const isAiling = before?.status === "Failed" && before.hash === wishes.hash;
  if (!isAiling) await ledger.update(provisioning("Helm", wishes.hash), signal);
  const rivals = await readRivals(assignment, site.hub, { signal });
  for (const wish of wishes.charts) yield* bring(wish, wishes, rivals, assignment, ledger, site, options);
  yield* dropOthers(wishes, rivals, ledger, site, options);
  const because = await unhealthy(assignment.summary.profile.validateHealths, "Helm", site.cluster, { signal });
  const time = ledger.now();
  await ledger.update(because === undefined ? provisioned("Helm", wishes.hash, time) : ailing("Helm", because, wishes.hash), signal);
  const installed = wishes.charts.filter(({ chart }) => chart.helmChartAction === "Install").map(({ release }) => release);
  return { ...(await resultOf(wishes, time, site, signal, because !== undefined)), displaced: displacedFrom(installed, rivals) };
}

async function resultOf(
  { charts }: Wishes,
  time: string,
  { cluster }: AddonSite,
  signal: AbortSignal,
  isFailed: boolean,
): Promise<FeatureResult> {
  const deployed = await Promise.all(
    charts
      .filter(({ chart }) => chart.helmChartAction === "Install")
      .map(async (wish) => deployedChart(wish, await readRevisions(wish.release, cluster, signal), time)),
  );
  return { feature: { featureID: "Helm", charts: deployed.filter((chart) => chart !== undefined) }, failed: isFailed };
}

async function* bring(
  wish: Wish,
  { patches, patchesHash }: Wishes,
  rivals: readonly KubeObject[],
  assignment: Assignment,
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story> {
  const { signal } = options;
  const { release, valuesHash, chart } = wish;
  const own = entryOf(ledger, wish);
  const common = { releaseName: release.name, releaseNamespace: release.namespace };
  const objection = objectionToRelease(release, assignment, own, rivals);
  if (objection !== undefined) {
    await note(ledger, { ...common, status: "Conflict", conflictMessage: objection }, signal);
    throw new ReleaseConflict(objection, undefined, { final: true });
  }
  if (chart.helmChartAction === "Uninstall") {
    yield* uninstall(release, chart.options?.uninstallOptions?.keepHistory ?? false, site, options);
    return forget(ledger, wish, signal);
  }
  const hashes = { valuesHash, ...(patchesHash === undefined ? {} : { patchesHash }) };
  if (await isDeployed(wish, hashes, own, site, signal)) return;
  // Whose it is has to be known before anything is there of it; with which values, only when they are.
  await note(ledger, { ...common, status: "Managing" }, signal);
  yield* install(wish, patches, site, options);
  await note(ledger, { ...common, status: "Managing", ...hashes }, signal);
}

/** What has not changed is left alone, whatever somebody did to it by hand. */
async function isDeployed(
  { chart, release }: Wish,
  hashes: Pick<HelmReleaseSummary, "valuesHash" | "patchesHash">,
  own: HelmReleaseSummary | undefined,
  { cluster }: AddonSite,
  signal: AbortSignal,
): Promise<boolean> {
  if (own?.status !== "Managing" || own.valuesHash !== hashes.valuesHash || own.patchesHash !== hashes.patchesHash) return false;
  const latest = latestOf(await readRevisions(release, cluster, signal));
  return latest?.state === "deployed" && stringAt(latest.chart, "metadata.version") === chart.chartVersion;
}

/** Releases that the profile had and has no longer. */
async function* dropOthers(
  { charts }: Wishes,
  rivals: readonly KubeObject[],
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story> {
  const left = (ledger.status.helmReleaseSummaries ?? []).filter((entry) => !charts.some(({ release }) => isOf(entry, release)));
  yield* dropCharts(left, rivals, ledger, site, options);
}

/** Takes releases away, the last first. What another profile waits for is handed over, and what was never ours is not touched. */
export async function* dropCharts(
  entries: readonly HelmReleaseSummary[],
  rivals: readonly KubeObject[],
  ledger: Ledger,
  site: AddonSite,
  options: AddonOptions,
): AsyncGenerator<Story> {
  for (const entry of entries.toReversed()) {
    const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
    if (entry.status === "Managing" && !isWantedByOthers(release, rivals)) yield* uninstall(release, false, site, options);
    await forget(ledger, { release }, options.signal);
  }
}

function entryOf(ledger: Ledger, { release }: Pick<Wish, "release">): HelmReleaseSummary | undefined {
  return ledger.status.helmReleaseSummaries?.find((entry) => isOf(entry, release));
}

function note(ledger: Ledger, entry: HelmReleaseSummary, signal: AbortSignal): Promise<void> {
  const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
  return ledger.update((status) => {
    const entries = status.helmReleaseSummaries ?? [];
    const at = entries.findIndex((each) => isOf(each, release));
    return withCharts(at === -1 ? [...entries, entry] : entries.with(at, entry))(status);
  }, signal);
}

function forget(ledger: Ledger, { release }: Pick<Wish, "release">, signal: AbortSignal): Promise<void> {
  return ledger.update(
    (status) =>
      status.helmReleaseSummaries === undefined
        ? status
        : withCharts(status.helmReleaseSummaries.filter((entry) => !isOf(entry, release)))(status),
    signal,
  );
}

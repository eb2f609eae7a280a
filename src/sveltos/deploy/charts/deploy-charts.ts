import type { HelmReleaseSummary } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { isForbidden } from "../../../kube/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import type { Progress } from "../../../release/index.ts";
import { latestOf, type Revision } from "../../../release/record/index.ts";
import type { ContentRendering } from "../read-content.ts";
import { checkFeatureHealth } from "../check-feature-health.ts";
import { ownedTasksOf } from "../owned-tasks.ts";
import { Superseded, type SummaryStatusStore } from "../summary-status-store.ts";
import type { AddonOptions, AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import type { FeatureResult } from "../feature-result.ts";
import { markUnhealthy, markProvisioned, markProvisioning, withCharts } from "../status-change.ts";
import { deployedChart, installChart, readReleaseRevisions, uninstallChart } from "./install-chart.ts";
import { displacedFrom, isEntryFor, listOtherSummaries, ReleaseConflict } from "./release-conflict.ts";
import {
  claimRelease,
  handOverRelease,
  isReleaseMarkedFor,
  isReleaseOwn,
  marksFor,
  objectionToRelease,
  type ReleaseState,
} from "./release-owner.ts";
import { readDesiredCharts, type DesiredChart, type DesiredCharts } from "./desired-charts.ts";

/**
 * Deploys a profile's helmCharts as Helm releases, one after the other; the first failure stops the rest. Releases that the
 * profile no longer has are uninstalled at the end.
 */
export async function* deployCharts(
  scope: ClusterSummaryScope,
  rendering: ContentRendering,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress, FeatureResult> {
  const { signal } = options;
  const desiredCharts = await readDesiredCharts(scope, rendering, context, options);
  const before = statusStore.featureSummary("Helm");
  if (before?.status === "Provisioned" && before.hash === desiredCharts.hash)
    return resultOf(desiredCharts, before.lastAppliedTime ?? statusStore.now(), context, signal, false);
  const isWaiting = before?.status === "Failed" && before.hash === desiredCharts.hash;
  if (!isWaiting) await statusStore.update(markProvisioning("Helm", desiredCharts.hash), signal);
  const otherSummaries = await listOtherSummaries(scope, context.hub, { signal });
  try {
    for (const desiredChart of desiredCharts.charts)
      yield* deployChart(desiredChart, desiredCharts, otherSummaries, scope, statusStore, context, options);
    yield* uninstallRemoved(desiredCharts, otherSummaries, scope, statusStore, context, options);
  } catch (error) {
    if (signal.aborted || error instanceof Superseded || !(error instanceof Fault)) throw error;
    return { ...(await partialResult(desiredCharts, statusStore, context, signal)), fault: error };
  }
  const because = await checkFeatureHealth(scope.summary.profile.validateHealths, "Helm", context.cluster, { signal });
  const time = statusStore.now();
  await statusStore.update(
    because === undefined ? markProvisioned("Helm", desiredCharts.hash, time) : markUnhealthy("Helm", because, desiredCharts.hash),
    signal,
  );
  const installed = desiredCharts.charts.filter(({ chart }) => chart.helmChartAction === "Install").map(({ release }) => release);
  return {
    ...(await resultOf(desiredCharts, time, context, signal, because !== undefined)),
    displaced: displacedFrom(installed, otherSummaries),
  };
}

/** The releases of the profile that are deployed after one has failed; undefined when the cluster does not say. */
async function partialResult(
  { charts, ...rest }: DesiredCharts,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  signal: AbortSignal,
): Promise<FeatureResult> {
  const own = charts.filter((desiredChart) => entryOf(statusStore, desiredChart)?.status === "Managing");
  try {
    return await resultOf({ ...rest, charts: own }, statusStore.now(), context, signal, true);
  } catch (error) {
    if (signal.aborted || !(error instanceof Fault)) throw error;
    return { feature: undefined, failed: true };
  }
}

async function resultOf(
  { charts }: DesiredCharts,
  time: string,
  { cluster }: AddonContext,
  signal: AbortSignal,
  isFailed: boolean,
): Promise<FeatureResult> {
  const deployed = await Promise.all(
    charts
      .filter(({ chart }) => chart.helmChartAction === "Install")
      .map(async (desiredChart) => deployedChart(desiredChart, await readReleaseRevisions(desiredChart.release, cluster, signal), time)),
  );
  return { feature: { featureID: "Helm", charts: deployed.filter((chart) => chart !== undefined) }, failed: isFailed };
}

async function* deployChart(
  desiredChart: DesiredChart,
  { patches, patchesHash }: DesiredCharts,
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress> {
  const { signal } = options;
  const { release, valuesHash, chart } = desiredChart;
  const own = entryOf(statusStore, desiredChart);
  const common = { releaseName: release.name, releaseNamespace: release.namespace };
  const check = (revisions: readonly Revision[]) =>
    throwReleaseConflict(release, { revisions, own, otherSummaries }, scope, statusStore, context, options);
  const revisions = await readReleaseRevisions(release, context.cluster, signal);
  await check(revisions);
  if (chart.helmChartAction === "Uninstall") {
    yield* uninstallChart(release, { keepHistory: chart.options?.uninstallOptions?.keepHistory ?? false, check }, context, options);
    return forgetRelease(statusStore, desiredChart, signal);
  }
  const hashes = { valuesHash, ...(patchesHash === undefined ? {} : { patchesHash }) };
  if (!(await claimRelease(revisions, scope, context, options)))
    throw new Fault(`release ${release.namespace}/${release.name}`, "its record was changed while its owner was looked at");
  if (isDeployed(desiredChart, hashes, own, revisions)) return;
  // The owner is recorded before the install, the hashes of the values after it.
  await recordRelease(statusStore, { ...common, status: "Managing" }, signal);
  const tasks = ownedTasksOf(scope, context, signal);
  yield* installChart(desiredChart, { patches, tasks, check, annotations: marksFor(scope) }, context, options);
  await recordRelease(statusStore, { ...common, status: "Managing", ...hashes }, signal);
}

/** Throws when another profile manages a release, after it is recorded. The profile waits for it by this record. */
async function throwReleaseConflict(
  release: DesiredChart["release"],
  state: ReleaseState,
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  { signal }: AddonOptions,
): Promise<void> {
  const conflictMessage = await objectionToRelease(release, state, scope, context, { signal });
  if (conflictMessage === undefined) return;
  const { name: releaseName, namespace: releaseNamespace } = release;
  await recordRelease(statusStore, { releaseName, releaseNamespace, status: "Conflict", conflictMessage }, signal);
  throw new ReleaseConflict(conflictMessage, undefined, { final: true });
}

/** An unchanged release is not upgraded, even when somebody has changed its objects. */
function isDeployed(
  { chart }: DesiredChart,
  hashes: Pick<HelmReleaseSummary, "valuesHash" | "patchesHash">,
  own: HelmReleaseSummary | undefined,
  revisions: readonly Revision[],
): boolean {
  if (own?.status !== "Managing" || own.valuesHash !== hashes.valuesHash || own.patchesHash !== hashes.patchesHash) return false;
  const latest = latestOf(revisions);
  return latest?.state === "deployed" && stringAt(latest.chart, "metadata.version") === chart.chartVersion;
}

/** Uninstalls the releases that the profile no longer has. */
async function* uninstallRemoved(
  { charts }: DesiredCharts,
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress> {
  const removed = (statusStore.status.helmReleaseSummaries ?? []).filter(
    (entry) => !charts.some(({ release }) => isEntryFor(entry, release)),
  );
  yield* uninstallCharts(removed, otherSummaries, scope, statusStore, context, options);
}

/** Uninstalls releases, the last first. One that another profile waits for is handed over; one of another profile is not touched. */
export async function* uninstallCharts(
  entries: readonly HelmReleaseSummary[],
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  statusStore: SummaryStatusStore,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress> {
  for (const entry of entries.toReversed()) {
    const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
    yield* leaveRelease(release, entry, otherSummaries, scope, context, options);
    await forgetRelease(statusStore, { release }, options.signal);
  }
}

async function* leaveRelease(
  release: DesiredChart["release"],
  { status }: HelmReleaseSummary,
  otherSummaries: readonly KubeObject[],
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: AddonOptions,
): AsyncGenerator<Progress> {
  const check = async (revisions: readonly Revision[]) => {
    if (!(await isReleaseOwn(release, revisions, scope, context, options))) throw new ReleaseConflict("another profile has it by now");
  };
  const revisions = await readOwnRevisions(release, scope, context, options);
  // One that it only waits for may have been handed over to it.
  if (status !== "Managing" && !isReleaseMarkedFor(scope, revisions)) return;
  if (!(await isReleaseOwn(release, revisions, scope, context, options))) return;
  const claimants = [...otherSummaries, ...(context.underOtherNames?.() ?? [])];
  if (await handOverRelease(release, revisions, claimants, scope, context, options)) return;
  yield* uninstallChart(release, { keepHistory: false, check }, context, options);
}

/** A tenant that may not read the records of a release has never installed it, unless they say so. */
async function readOwnRevisions(
  release: DesiredChart["release"],
  scope: ClusterSummaryScope,
  { cluster, tenant }: AddonContext,
  { signal }: AddonOptions,
): Promise<readonly Revision[]> {
  try {
    return await readReleaseRevisions(release, cluster, signal);
  } catch (error) {
    if (tenant === undefined || !isForbidden(error)) throw error;
    const revisions = await readReleaseRevisions(release, tenant.unimpersonated, signal);
    if (isReleaseMarkedFor(scope, revisions)) throw error;
    return [];
  }
}

function entryOf(statusStore: SummaryStatusStore, { release }: Pick<DesiredChart, "release">): HelmReleaseSummary | undefined {
  return statusStore.status.helmReleaseSummaries?.find((entry) => isEntryFor(entry, release));
}

function recordRelease(statusStore: SummaryStatusStore, entry: HelmReleaseSummary, signal: AbortSignal): Promise<void> {
  const release = { name: entry.releaseName, namespace: entry.releaseNamespace };
  return statusStore.update((status) => {
    const entries = status.helmReleaseSummaries ?? [];
    const at = entries.findIndex((each) => isEntryFor(each, release));
    return withCharts(at === -1 ? [...entries, entry] : entries.with(at, entry))(status);
  }, signal);
}

function forgetRelease(statusStore: SummaryStatusStore, { release }: Pick<DesiredChart, "release">, signal: AbortSignal): Promise<void> {
  return statusStore.update(
    (status) =>
      status.helmReleaseSummaries === undefined
        ? status
        : withCharts(status.helmReleaseSummaries.filter((entry) => !isEntryFor(entry, release)))(status),
    signal,
  );
}

import type { DeployedChart, ProfilePatch } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { stringAt } from "../../../core/object/index.ts";
import { deploy, uninstallRelease } from "../../../release/deploy/index.ts";
import type { Progress } from "../../../release/index.ts";
import { parseDuration } from "../../../release/order/index.ts";
import { deployedOf, historyOf, latestOf, type Revision } from "../../../release/record/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import type { AddonOptions, AddonContext } from "../addon-request.ts";
import type { OwnedTasks } from "../owned-tasks.ts";
import type { DesiredChart } from "./desired-charts.ts";
import { renderChart } from "./render-chart.ts";

const defaultTimeout = "5m";

type Release = DesiredChart["release"];

/** How a chart is installed for a profile. */
type InstallOptions = {
  readonly patches: readonly ProfilePatch[];
  /** Renders elsewhere. Default: here. */
  readonly tasks: OwnedTasks | undefined;
  /** The annotations of its records. */
  readonly annotations: Readonly<Record<string, string>>;
} & CheckOptions;

/** Is called with the records while the release's Lease is held, and throws when another profile manages the release. */
type CheckOptions = { readonly check: (revisions: readonly Revision[]) => Promise<void> };

/** Installs or upgrades a chart as a Helm release. */
export async function* installChart(
  desiredChart: DesiredChart,
  { patches, tasks, annotations, check }: InstallOptions,
  context: AddonContext,
  { signal }: AddonOptions,
): AsyncGenerator<Progress> {
  const { chart, release } = desiredChart;
  const { cluster, identity, recordings } = context;
  const { options } = chart;
  const { crds, ...request } = await renderChart(desiredChart, context, { patches, tasks, signal });
  const waits = options?.wait === true || options?.waitForJobs === true || options?.atomic === true;
  yield* throwingOnFailure(
    deploy(
      {
        ...request,
        crds: options?.skipCRDs === true ? [] : crds,
        release,
        createNamespace: options?.installOptions?.createNamespace ?? true,
        takeOwnership: options?.installOptions?.takeOwnership === true || options?.upgradeOptions?.takeOwnership === true,
        wait: waits ? "all" : "hooks",
      },
      cluster,
      {
        signal,
        identity,
        timeoutMs: parseDuration(options?.timeout ?? defaultTimeout) ?? parseDuration(defaultTimeout)!,
        historyMax: options?.upgradeOptions?.maxHistory ?? 2,
        autoRollback: options?.atomic ?? false,
        annotations,
        check,
        ...(recordings === undefined ? {} : { recording: recordings }),
      },
    ),
    `release ${release.namespace}/${release.name}`,
    signal,
  );
}

/** Uninstalls a Helm release, if it exists. Its namespace stays. */
export async function* uninstallChart(
  release: Release,
  { keepHistory, check }: { readonly keepHistory: boolean } & CheckOptions,
  { cluster, identity, recordings }: AddonContext,
  { signal }: AddonOptions,
): AsyncGenerator<Progress> {
  const recording = recordings === undefined ? {} : { recording: recordings };
  const latest = latestOf(await readReleaseRevisions(release, cluster, signal));
  if (latest === undefined || latest.state === "uninstalled") return;
  const timeoutMs = parseDuration(defaultTimeout)!;
  yield* throwingOnFailure(
    uninstallRelease({ release, deleteData: true }, cluster, { signal, identity, keepHistory, timeoutMs, check, ...recording }),
    `release ${release.namespace}/${release.name}`,
    signal,
  );
}

/** The progress of a release operation. Throws when it has failed. */
async function* throwingOnFailure(progress: AsyncIterable<Progress>, what: string, signal: AbortSignal): AsyncGenerator<Progress> {
  for await (const event of progress) {
    yield event;
    if (event.type !== "done") continue;
    if (event.status === "stopped") signal.throwIfAborted();
    if (event.status === "failed") throw new Fault(what, event.because ?? "failed");
  }
}

export async function readReleaseRevisions(release: Release, cluster: Cluster, signal: AbortSignal): Promise<readonly Revision[]> {
  return historyOf(cluster).revisions(release, { signal });
}

/** A release as a ClusterConfiguration lists it; undefined when it is not deployed. */
export function deployedChart(
  { chart, release }: DesiredChart,
  revisions: readonly Revision[],
  lastAppliedTime: string,
): DeployedChart | undefined {
  const deployed = deployedOf(revisions);
  if (deployed === undefined) return undefined;
  const [appVersion, icon] = [stringAt(deployed.chart, "metadata.appVersion", ""), stringAt(deployed.chart, "metadata.icon", "")];
  return {
    repoURL: chart.repositoryURL,
    releaseName: release.name,
    namespace: release.namespace,
    chartVersion: stringAt(deployed.chart, "metadata.version", chart.chartVersion),
    ...(appVersion === "" ? {} : { appVersion }),
    ...(icon === "" ? {} : { icon }),
    lastAppliedTime,
  };
}

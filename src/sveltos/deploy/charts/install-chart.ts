import type { DeployedChart } from "../../api/index.ts";
import { BadInput, Fault } from "../../../core/fault/index.ts";
import { isKubeObject, stringAt } from "../../../core/object/index.ts";
import { renderRelease } from "../../../release/chart/index.ts";
import { deploy, uninstallRelease } from "../../../release/deploy/index.ts";
import type { Progress } from "../../../release/index.ts";
import { parseDuration } from "../../../release/order/index.ts";
import { deployedOf, historyOf, latestOf, type Revision } from "../../../release/record/index.ts";
import type { Reuse } from "../../../chart/index.ts";
import type { Cluster } from "../../../kube/index.ts";
import { readDocuments, writeYaml } from "../../../lang/yaml/index.ts";
import { applyPatches } from "../patch/apply-patches.ts";
import { listItemsOf } from "../patch/list-items.ts";
import type { PreparedPatch } from "../patch/prepare-patches.ts";
import type { AddonOptions, AddonContext } from "../addon-request.ts";
import type { DesiredChart } from "./desired-charts.ts";

const defaultTimeout = "5m";
/** The limits of rendering a chart: time, and output of one template. */
const limits = { ms: 120_000, output: 64 * 2 ** 20 };

type Release = DesiredChart["release"];

/** How a chart is installed for a profile. */
type InstallOptions = {
  readonly patches: readonly PreparedPatch[];
  /** The annotations of its records. */
  readonly annotations: Readonly<Record<string, string>>;
} & CheckOptions;

/** Is called with the records while the release's Lease is held, and throws when another profile manages the release. */
type CheckOptions = { readonly check: (revisions: readonly Revision[]) => Promise<void> };

/** Installs or upgrades a chart as a Helm release. */
export async function* installChart(
  desiredChart: DesiredChart,
  { patches, annotations, check }: InstallOptions,
  context: AddonContext,
  { signal }: AddonOptions,
): AsyncGenerator<Progress> {
  const { chart, release, values } = desiredChart;
  const { cluster, environment, charts, identity } = context;
  if (charts === undefined) throw new Fault(`load chart ${chart.chartName}`, "nobody here fetches charts", { final: true });
  const { options } = chart;
  const startedAt = environment.now();
  const order = {
    ...(await charts(chart, { signal })),
    values,
    reuse: reuseOf(desiredChart),
    environment,
    limits: { outOfTime: () => environment.now() - startedAt > limits.ms, output: limits.output },
    subchartNotes: options?.upgradeOptions?.subNotes ?? false,
    skipSchema: options?.skipSchemaValidation ?? false,
    warn: () => undefined,
    ...(patches.length === 0 ? {} : { postRender: (text: string) => patchedText(text, patches, cluster, signal) }),
  };
  const { crds, ...request } = await renderRelease(order, release, cluster, { signal });
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
  { cluster, identity }: AddonContext,
  { signal }: AddonOptions,
): AsyncGenerator<Progress> {
  const latest = latestOf(await readReleaseRevisions(release, cluster, signal));
  if (latest === undefined || latest.state === "uninstalled") return;
  const timeoutMs = parseDuration(defaultTimeout)!;
  yield* throwingOnFailure(
    uninstallRelease({ release, deleteData: true }, cluster, { signal, identity, keepHistory, timeoutMs, check }),
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

function reuseOf({ chart: { options } }: DesiredChart): Reuse {
  const { reuseValues = false, resetThenReuseValues = false } = options?.upgradeOptions ?? {};
  // Values of earlier revisions count only when the profile asks for them.
  return resetThenReuseValues ? "reset, then reuse" : reuseValues ? "reuse" : "reset";
}

/** The text of a chart with patches. Lists stand for their items, as in Kustomize. */
async function patchedText(text: string, patches: readonly PreparedPatch[], cluster: Cluster, signal: AbortSignal): Promise<string> {
  const { documents, problems } = readDocuments(text, "chart", { duplicateKeys: "last wins" });
  if (problems.length > 0) throw new BadInput(problems);
  const values = documents.flatMap(({ value }) => listItemsOf(value));
  const patched = await applyPatches(values.filter(isKubeObject), patches, cluster, { signal });
  let next = 0;
  const kept = values.flatMap((value) => (isKubeObject(value) ? (patched[next++] ?? []) : [value]));
  return kept.map(writeYaml).join("---\n");
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

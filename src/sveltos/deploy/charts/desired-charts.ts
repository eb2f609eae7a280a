import { valueHash, type HelmChartRef } from "../../api/index.ts";
import { mergeMaps, readValues } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { toPlain, type GoMap } from "../../../lang/template/index.ts";
import type { ContentRendering } from "../read-content.ts";
import { referenceReaderOf } from "../reference-gate.ts";
import { preparePatches, type PreparedPatch } from "../patch/prepare-patches.ts";
import type { AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import { readContentSource, type ContentSource } from "../content-source.ts";
import type { ProfileTemplateRenderer } from "../profile-template-renderer.ts";

/** A chart of a profile for one cluster, with rendered fields and merged values. */
export type DesiredChart = {
  readonly chart: HelmChartRef;
  readonly release: { readonly name: string; readonly namespace: string };
  readonly values: GoMap;
  readonly valuesHash: string;
};

/** All helmCharts of a profile for one cluster. */
export type DesiredCharts = {
  readonly charts: readonly DesiredChart[];
  readonly patches: readonly PreparedPatch[];
  readonly patchesHash: string | undefined;
  /** The hash of all inputs. While it is unchanged and the feature is Provisioned, there is nothing to do. */
  readonly hash: string;
};

type Options = { readonly signal: AbortSignal };

/** Reads the helmCharts of a profile. Fetches no charts and writes nothing. */
export async function readDesiredCharts(
  scope: ClusterSummaryScope,
  { renderer }: ContentRendering,
  context: AddonContext,
  options: Options,
): Promise<DesiredCharts> {
  const { helmCharts, patches, tier, validateHealths } = scope.summary.profile;
  const charts: DesiredChart[] = [];
  for (const [at, chart] of helmCharts.entries())
    charts.push(await readDesiredChart(chart, `helmCharts[${at}]`, scope, renderer, context, options));
  const patchesHash =
    patches.length === 0
      ? undefined
      : valueHash(patches.map(({ target, patch }) => ({ target, patch: renderer.render("patches", patch) })));
  const checks = validateHealths.filter(({ featureID }) => featureID === "Helm");
  const hash = valueHash({ charts: charts.map(({ chart, valuesHash }) => ({ chart, valuesHash })), patchesHash, tier, checks });
  return { charts, patches: preparePatches(patches, renderer), patchesHash, hash };
}

async function readDesiredChart(
  written: HelmChartRef,
  at: string,
  scope: ClusterSummaryScope,
  renderer: ProfileTemplateRenderer,
  context: AddonContext,
  options: Options,
): Promise<DesiredChart> {
  const rendered = (
    field: "repositoryURL" | "repositoryName" | "chartName" | "chartVersion" | "releaseName" | "releaseNamespace" | "values",
  ) => renderer.render(`${at}.${field}`, written[field]);
  const chart: HelmChartRef = {
    ...written,
    repositoryURL: rendered("repositoryURL"),
    repositoryName: rendered("repositoryName"),
    chartName: rendered("chartName"),
    chartVersion: rendered("chartVersion"),
    releaseName: rendered("releaseName"),
    releaseNamespace: rendered("releaseNamespace"),
    values: rendered("values"),
  };
  const values = await valuesFor(chart, at, scope, renderer, context, options);
  const release = { name: chart.releaseName, namespace: chart.releaseNamespace };
  return { chart, release, values, valuesHash: valueHash(toPlain(values)) };
}

/** Merges values as Sveltos does, each over the last: inline values, then references, then references that are templates. */
async function valuesFor(
  { values, valuesFrom }: HelmChartRef,
  at: string,
  scope: ClusterSummaryScope,
  renderer: ProfileTemplateRenderer,
  context: AddonContext,
  options: Options,
): Promise<GoMap> {
  const { cluster, owner } = scope;
  const sources: ContentSource[] = [];
  for (const [index, { kind, namespace, name, optional }] of valuesFrom.entries()) {
    const place = `${at}.valuesFrom[${index}]`;
    const home = owner.kind === "Profile" ? owner.namespace : renderer.render(`${place}.namespace`, namespace) || cluster.namespace;
    const source = await readContentSource(
      { kind, namespace: home, name: renderer.render(`${place}.name`, name), optional },
      referenceReaderOf(scope, context),
      options,
    );
    if (source !== undefined) sources.push(source);
  }
  const documents = [...sources.filter((source) => !isTemplate(source)), ...sources.filter(isTemplate)].flatMap((source) =>
    source.texts.map(({ key, text }) => {
      const where = `${source.kind} ${source.namespace}/${source.name} ${key}`;
      return { where, text: isTemplate(source) ? renderer.render(where, text) : text };
    }),
  );
  return documents.reduce((all, { where, text }) => mergeMaps(all, read(text, where)), read(values, `${at}.values`));
}

function isTemplate({ processing }: ContentSource): boolean {
  return processing === "by template";
}

function read(text: string, where: string): GoMap {
  try {
    return readValues(text);
  } catch (error) {
    throw new Fault(where, error, { final: true });
  }
}

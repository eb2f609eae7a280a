import { valueHash, type HelmChartRef, type ProfilePatch } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { mapAt } from "../../../core/object/index.ts";
import type { ContentRendering } from "../read-content.ts";
import { referenceReaderOf } from "../reference-gate.ts";
import { renderedPatches } from "../patch/prepare-patches.ts";
import { patchObjects } from "../patch/patch-task.ts";
import type { AddonContext, ClusterSummaryScope } from "../addon-request.ts";
import { MissingReference } from "../missing-reference.ts";
import { readContentSource, type ContentSource } from "../content-source.ts";
import type { ContentRenderer } from "../content-task.ts";
import { ownedTasksOf } from "../owned-tasks.ts";
import { hashOfValues, type ValuesText } from "./chart-values.ts";

/** A chart of a profile for one cluster, with rendered fields. */
export type DesiredChart = {
  readonly chart: HelmChartRef;
  readonly release: { readonly name: string; readonly namespace: string };
  /** Each is merged over the last. */
  readonly values: readonly ValuesText[];
  /** Of the merged values. */
  readonly valuesHash: string;
  /** The public keys that the chart must be signed by; undefined when it need not be signed. */
  readonly keyring?: Uint8Array | undefined;
};

/** All helmCharts of a profile for one cluster. */
export type DesiredCharts = {
  readonly charts: readonly DesiredChart[];
  readonly patches: readonly ProfilePatch[];
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
  const filledPatches = await renderedPatches(patches, renderer);
  const patchesHash = patches.length === 0 ? undefined : valueHash(filledPatches.map(({ target, patch }) => ({ target, patch })));
  const checks = validateHealths.filter(({ featureID }) => featureID === "Helm");
  const hash = valueHash({
    charts: charts.map(({ chart, valuesHash }) => ({ chart, valuesHash })),
    patchesHash,
    tier,
    checks,
  });
  // They are wrong even when there is nothing to deploy.
  await patchObjects([], filledPatches, context.cluster, { ...options, tasks: ownedTasksOf(scope, context, options.signal) });
  return { charts, patches: filledPatches, patchesHash, hash };
}

async function readDesiredChart(
  written: HelmChartRef,
  at: string,
  scope: ClusterSummaryScope,
  renderer: ContentRenderer,
  context: AddonContext,
  options: Options,
): Promise<DesiredChart> {
  const rendered = (
    field: "repositoryURL" | "repositoryName" | "chartName" | "chartVersion" | "releaseName" | "releaseNamespace" | "values",
  ) => renderer.render(`${at}.${field}`, written[field]);
  const chart: HelmChartRef = {
    ...written,
    repositoryURL: await rendered("repositoryURL"),
    repositoryName: await rendered("repositoryName"),
    chartName: await rendered("chartName"),
    chartVersion: await rendered("chartVersion"),
    releaseName: await rendered("releaseName"),
    releaseNamespace: await rendered("releaseNamespace"),
    values: await rendered("values"),
  };
  const values = await valuesOf(chart, at, scope, renderer, context, options);
  const release = { name: chart.releaseName, namespace: chart.releaseNamespace };
  const keyring = await keyringOf(chart, scope, context, options);
  return { chart, release, values, valuesHash: await hashOfValues(values, ownedTasksOf(scope, context, options.signal)), keyring };
}

/** Sveltos' name of the keyring in its Secret. */
const keyringKey = "keyring.gpg";

/** The keyring that a chart names. In Sveltos charts of registries are not verified by it; here they are. */
async function keyringOf(
  { provenanceVerification }: HelmChartRef,
  scope: ClusterSummaryScope,
  context: AddonContext,
  options: Options,
): Promise<Uint8Array | undefined> {
  if (provenanceVerification === undefined) return undefined;
  const { name = "", namespace = "" } = provenanceVerification.keyringSecretRef;
  const home = namespace || (scope.owner.kind === "Profile" ? scope.owner.namespace : scope.cluster.namespace);
  const ref = { group: "", version: "v1", kind: "Secret", namespace: home, name };
  const found = await referenceReaderOf(scope, context)(ref, options);
  if (found === undefined) throw new MissingReference("Secret", home, name);
  const text = mapAt(found, "data")[keyringKey];
  if (text !== undefined) return Buffer.from(text, "base64");
  throw new Fault(`Secret ${home}/${name} has no key ${keyringKey}; expected public keys, such as gpg --export writes`, undefined, {
    final: true,
  });
}

/** Values in Sveltos' order: inline values, then references, then references that are templates. */
async function valuesOf(
  { values, valuesFrom }: HelmChartRef,
  at: string,
  scope: ClusterSummaryScope,
  renderer: ContentRenderer,
  context: AddonContext,
  options: Options,
): Promise<readonly ValuesText[]> {
  const { cluster, owner } = scope;
  const sources: ContentSource[] = [];
  for (const [index, { kind, namespace, name, optional }] of valuesFrom.entries()) {
    const place = `${at}.valuesFrom[${index}]`;
    const home = owner.kind === "Profile" ? owner.namespace : (await renderer.render(`${place}.namespace`, namespace)) || cluster.namespace;
    const source = await readContentSource(
      { kind, namespace: home, name: await renderer.render(`${place}.name`, name), optional },
      referenceReaderOf(scope, context),
      options,
    );
    if (source !== undefined) sources.push(source);
  }
  const texts: ValuesText[] = [{ where: `${at}.values`, text: values }];
  for (const source of [...sources.filter((each) => !isTemplate(each)), ...sources.filter(isTemplate)])
    for (const { key, text } of source.texts) {
      const where = `${source.kind} ${source.namespace}/${source.name} ${key}`;
      texts.push({ where, text: isTemplate(source) ? await renderer.render(where, text) : text });
    }
  return texts;
}

function isTemplate({ processing }: ContentSource): boolean {
  return processing === "by template";
}

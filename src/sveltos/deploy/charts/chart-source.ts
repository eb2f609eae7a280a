import type { HelmChartRef } from "../../api/index.ts";
import { loadArchive, type Chart } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { fetchChart, type RepositoryEnvironment } from "../../../repository/index.ts";

/** Gives the chart that a profile names, from wherever charts come. */
export type ChartSource = (chart: HelmChartRef, options: { readonly signal: AbortSignal }) => Promise<Chart>;

/** Charts from the repositories and registries that profiles name. */
export function chartSourceFrom(outside: RepositoryEnvironment): ChartSource {
  return async (ref, { signal }) => {
    const { repositoryURL, chartVersion } = ref;
    const name = plainName(ref);
    const isRegistry = repositoryURL.startsWith("oci://");
    const what = `load chart ${name} ${chartVersion} of ${repositoryURL}`;
    try {
      const { bytes } = isRegistry
        ? await fetchChart(`${repositoryURL.replace(/\/+$/, "")}/${name}`, { version: chartVersion }, { ...outside, signal })
        : await fetchChart(name, { version: chartVersion, repo: repositoryURL }, { ...outside, signal });
      return loadArchive(bytes, outside.warn);
    } catch (error) {
      throw new Fault(what, error);
    }
  };
}

/** Profiles write `repository/chart`, and the repository's name is theirs alone. */
function plainName({ chartName, repositoryName }: HelmChartRef): string {
  return chartName.startsWith(`${repositoryName}/`) ? chartName.slice(repositoryName.length + 1) : chartName;
}

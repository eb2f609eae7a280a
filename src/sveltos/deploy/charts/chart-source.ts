import type { HelmChartRef } from "../../api/index.ts";
import { loadArchive, type Chart } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { fetchChart, type RepositoryEnvironment } from "../../../repository/index.ts";

/** Loads the chart of a profile. */
export type ChartSource = (chart: HelmChartRef, options: { readonly signal: AbortSignal }) => Promise<Chart>;

/** Loads charts from the repositories and registries of profiles. */
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

/** Profiles write `repository/chart`; the repository's name means something in the profile only. */
function plainName({ chartName, repositoryName }: HelmChartRef): string {
  return chartName.startsWith(`${repositoryName}/`) ? chartName.slice(repositoryName.length + 1) : chartName;
}

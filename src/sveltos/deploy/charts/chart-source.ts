import type { HelmChartRef } from "../../api/index.ts";
import { loadArchive, type Chart, type SchemaLoader } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { fetchChart, openSchemaLoader, SchemaFetcher, type RepositoryEnvironment } from "../../../repository/index.ts";

/** A chart, and the schemas that its own refer to over HTTP; without a loader such references are refused. */
type LoadedChart = { readonly chart: Chart; readonly loadSchema?: SchemaLoader };

/** Loads the chart of a profile. */
export type ChartSource = (chart: HelmChartRef, options: { readonly signal: AbortSignal }) => Promise<LoadedChart>;

type ChartSourceOptions = {
  /** The hosts that schemas are fetched from, beside that of the chart's repository. */
  readonly schemaHosts?: readonly string[];
};

/** Loads charts from the repositories and registries of profiles. */
export function chartSourceFrom(outside: RepositoryEnvironment, { schemaHosts = [] }: ChartSourceOptions = {}): ChartSource {
  const fetcher = new SchemaFetcher(outside);
  return async (ref, { signal }) => {
    const { repositoryURL, chartVersion } = ref;
    const name = plainName(ref);
    const isRegistry = repositoryURL.startsWith("oci://");
    const what = `load chart ${name} ${chartVersion} of ${repositoryURL}`;
    try {
      const { bytes } = isRegistry
        ? await fetchChart(`${repositoryURL.replace(/\/+$/, "")}/${name}`, { version: chartVersion }, { ...outside, signal })
        : await fetchChart(name, { version: chartVersion, repo: repositoryURL }, { ...outside, signal });
      const hosts = [new URL(repositoryURL).host.toLowerCase(), ...schemaHosts];
      const loadSchema = openSchemaLoader(fetcher, { signal, now: () => outside.clock.now(), hosts, skipAdvice });
      return { chart: loadArchive(bytes, outside.warn), loadSchema };
    } catch (error) {
      // A repository that is down comes back, and a chart that is missing may be pushed: the profile need not change.
      throw new Fault(what, error, { final: false });
    }
  };
}

/** How a profile skips the validation by schemas. */
const skipAdvice = "skip the validation with options.skipSchemaValidation of the profile's chart";

/** Profiles write `repository/chart`; the repository's name means something in the profile only. */
function plainName({ chartName, repositoryName }: HelmChartRef): string {
  return chartName.startsWith(`${repositoryName}/`) ? chartName.slice(repositoryName.length + 1) : chartName;
}

import { createHash } from "node:crypto";
import type { HelmChartRef } from "../../api/index.ts";
import { loadArchive, type Chart, type SchemaLoader, type Warn } from "../../../chart/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import type { ChartArchive } from "../../../release/chart/index.ts";
import {
  fetchChart,
  openSchemaLoader,
  SchemaFetcher,
  searchIndex,
  type IndexSearchResult,
  type RepositoryEnvironment,
  type Verification,
} from "../../../repository/index.ts";
import type { OwnedTasks } from "../owned-tasks.ts";

/** A chart, packed or loaded. */
export type FetchedChart = {
  /** Loads the schemas that its own refer to over HTTP. Without it such references are refused. */
  readonly loadSchema?: SchemaLoader;
} & (
  | { readonly chart: Chart }
  | (ChartArchive & {
      /** Takes what is odd about it. */
      readonly warn: Warn;
    })
);

type FetchOptions = {
  readonly signal: AbortSignal;
  /** Read what repositories send elsewhere. Default: here. */
  readonly tasks?: OwnedTasks | undefined;
  /** The chart must be signed by a key of it. Default: it need not be signed. */
  readonly keyring?: Uint8Array | undefined;
};

/** Fetches the chart of a profile. */
export type ChartSource = (chart: HelmChartRef, options: FetchOptions) => Promise<FetchedChart>;

/** Loads a fetched chart in this process. */
export function loadedChart(fetched: FetchedChart): Chart {
  if ("chart" in fetched) return fetched.chart;
  try {
    return loadArchive(fetched.archive, fetched.warn);
  } catch (error) {
    // A chart of the same version may be pushed again.
    throw new Fault(fetched.title, error, { final: false });
  }
}

type ChartSourceOptions = {
  /** The hosts that schemas are fetched from, beside that of the chart's repository. */
  readonly schemaHosts?: readonly string[];
};

/** Fetches charts from the repositories and registries of profiles. */
export function chartSourceFrom(outside: RepositoryEnvironment, { schemaHosts = [] }: ChartSourceOptions = {}): ChartSource {
  const fetcher = new SchemaFetcher(outside);
  return async (ref, { signal, tasks, keyring }) => {
    const { repositoryURL, chartVersion } = ref;
    const name = plainName(ref);
    const isRegistry = repositoryURL.startsWith("oci://");
    const title = `load chart ${name} ${chartVersion} of ${repositoryURL}`;
    try {
      const environment = { ...outside, signal, ...isolatedBy(tasks, title) };
      const wanted = { version: chartVersion, ...(keyring === undefined ? {} : { verify: true, keyring }) };
      const { bytes } = isRegistry
        ? await fetchChart(`${repositoryURL.replace(/\/+$/, "")}/${name}`, wanted, environment)
        : await fetchChart(name, { ...wanted, repo: repositoryURL }, environment);
      const hosts = [new URL(repositoryURL).host.toLowerCase(), ...schemaHosts];
      const loadSchema = openSchemaLoader(fetcher, { signal, now: () => outside.clock.now(), hosts, skipAdvice });
      return { archive: bytes, title, warn: outside.warn, loadSchema };
    } catch (error) {
      // A repository that is down comes back, and a chart that is missing may be pushed: the profile need not change.
      throw new Fault(title, error, { final: false });
    }
  };
}

/** An index that is read in this process, where it takes a few milliseconds. */
const maxReadHere = 32 * 2 ** 10;

/** Reads indexes and provenance files in workers: a repository says what is in them, and how much. */
function isolatedBy(tasks: OwnedTasks | undefined, title: string): Pick<RepositoryEnvironment, "isolated"> {
  if (tasks === undefined) return {};
  return {
    isolated: {
      async searchIndex(search) {
        if (search.index.length <= maxReadHere) return searchIndex(search);
        const madeOf = [createHash("sha256").update(search.index).digest("base64"), search.name, search.version];
        return (await tasks.run({ handler: "index", input: search, at: title, madeOf })) as IndexSearchResult;
      },
      async verifyProvenance(signed) {
        const madeOf = [signed.digest, signed.provenance, createHash("sha256").update(signed.keyring).digest("base64")];
        return (await tasks.run({ handler: "provenance", input: signed, at: title, madeOf })) as Verification;
      },
    },
  };
}

/** How a profile skips the validation by schemas. */
const skipAdvice = "skip the validation with options.skipSchemaValidation of the profile's chart";

/** Profiles write `repository/chart`; the repository's name means something in the profile only. */
function plainName({ chartName, repositoryName }: HelmChartRef): string {
  return chartName.startsWith(`${repositoryName}/`) ? chartName.slice(repositoryName.length + 1) : chartName;
}

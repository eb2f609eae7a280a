import type { GoMap } from "../lang/template/index.ts";
import type { ChartFile } from "./chart-file.ts";

/** A subchart that `Chart.yaml` asks for. */
export type Dependency = {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  /** Names of `exports`, or tables: the values of the child that the parent imports. */
  readonly importValues: readonly unknown[];
  readonly alias: string;
  /** The result of tags and conditions. Undefined before they are evaluated. */
  readonly enabled?: boolean;
};

export type Maintainer = { readonly name: string; readonly email: string; readonly url: string };

/** The content of `Chart.yaml`. A missing field is empty. */
export type Metadata = {
  readonly name: string;
  readonly home: string;
  readonly sources: readonly string[];
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly maintainers: readonly Maintainer[];
  readonly icon: string;
  readonly apiVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly appVersion: string;
  readonly deprecated: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  readonly kubeVersion: string;
  /** Undefined when `Chart.yaml` lists no dependencies. Then every chart in `charts/` counts. */
  readonly dependencies: readonly Dependency[] | undefined;
  readonly type: string;
};

/** The content of `Chart.lock`: the dependency versions that a chart was built with. */
export type Lock = { readonly generated: string; readonly digest: string; readonly dependencies: readonly Dependency[] };

/** A Helm chart as it was loaded, before dependencies are processed. Charts are immutable and share common parts. */
export type Chart = {
  readonly metadata: Metadata;
  readonly lock?: Lock;
  /** The default values. Immutable: `coalesceValues` copies them. */
  readonly values: GoMap;
  readonly schema?: Uint8Array;
  readonly templates: readonly ChartFile[];
  /** Every file that is neither a template nor has a meaning of its own. */
  readonly files: readonly ChartFile[];
  /** Every file as it was loaded, including `Chart.yaml` and `values.yaml`. */
  readonly raw: readonly ChartFile[];
  readonly dependencies: readonly Chart[];
};

/** The CRD files in `crds/`: the chart's own first, then those of its dependencies. Models helm pkg/chart/v2 CRDObjects */
export function crdFiles(chart: Chart, path = chart.metadata.name): readonly ChartFile[] {
  const own = chart.files
    .filter(({ name }) => name.startsWith("crds/") && /\.(yaml|yml|json)$/i.test(name))
    .map(({ name, data }) => ({ name: `${path}/${name}`, data }));
  return [...own, ...chart.dependencies.flatMap((each) => crdFiles(each, `${path}/charts/${each.metadata.name}`))];
}

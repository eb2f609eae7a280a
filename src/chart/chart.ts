import type { GoMap } from "../lang/template/index.ts";
import type { ChartFile } from "./chart-file.ts";

/** A chart that another one is made with, as `Chart.yaml` asks for it. */
export type Dependency = {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  readonly condition: string;
  readonly tags: readonly string[];
  /** `exports` by name, or tables: what the parent takes from the child's values. */
  readonly importValues: readonly unknown[];
  readonly alias: string;
  /** Decided by tags and conditions; undefined while nobody has. */
  readonly enabled?: boolean;
};

export type Maintainer = { readonly name: string; readonly email: string; readonly url: string };

/** What `Chart.yaml` says. A field that is not there is empty. */
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
  /** Undefined where `Chart.yaml` does not speak of any: then the charts in `charts/` are all there are. */
  readonly dependencies: readonly Dependency[] | undefined;
  readonly type: string;
};

/** Which versions of its dependencies a chart was made with. */
export type Lock = { readonly generated: string; readonly digest: string; readonly dependencies: readonly Dependency[] };

/** A Helm chart as it was read: nothing of it is decided yet. Charts share what they have in common and are never changed. */
export type Chart = {
  readonly metadata: Metadata;
  readonly lock?: Lock;
  /** The defaults. Never changed: `coalesce` copies. */
  readonly values: GoMap;
  readonly schema?: Uint8Array;
  readonly templates: readonly ChartFile[];
  /** Everything that is neither a template nor one of the files with a meaning of their own. */
  readonly files: readonly ChartFile[];
  /** Every file as it was read, `Chart.yaml` and `values.yaml` included. */
  readonly raw: readonly ChartFile[];
  readonly dependencies: readonly Chart[];
};

/** The definitions that a chart brings in `crds/`, of its own first and then of what it depends on. Models helm pkg/chart/v2 CRDObjects */
export function crdFiles(chart: Chart, path = chart.metadata.name): readonly ChartFile[] {
  const own = chart.files
    .filter(({ name }) => name.startsWith("crds/") && /\.(yaml|yml|json)$/i.test(name))
    .map(({ name, data }) => ({ name: `${path}/${name}`, data }));
  return [...own, ...chart.dependencies.flatMap((each) => crdFiles(each, `${path}/charts/${each.metadata.name}`))];
}

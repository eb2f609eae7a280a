import type { Chart, ChartFile, Dependency, Lock, Metadata } from "../../chart/index.ts";
import type { Fields } from "../../core/object/index.ts";
import { dict, fromPlain, GoMap, toPlain } from "../../lang/template/index.ts";

/** Go's zero time. */
const noTime = "0001-01-01T00:00:00Z";

/**
 * A chart as a release records it, without its subcharts: their values are merged by then, and their templates are not
 * needed again. Models the JSON of helm pkg/chart/v2 Chart
 */
export function recordedChart(chart: Chart): Fields {
  return {
    metadata: metadataJson(chart.metadata),
    lock: chart.lock === undefined ? null : lockJson(chart.lock),
    templates: chart.templates.map(fileJson),
    values: toPlain(chart.values),
    schema: chart.schema === undefined ? null : Buffer.from(chart.schema).toString("base64"),
    schemamodtime: noTime,
    files: chart.files.map(fileJson),
    modtime: noTime,
  };
}

/** The values of a recorded revision, in the form in which they are merged with new ones. */
export function recordedValues({ chart, config }: { readonly chart: Fields; readonly config: Fields }): {
  readonly chart: Chart;
  readonly config: GoMap;
} {
  return { chart: { ...nameless, values: mapOf(chart["values"]) }, config: mapOf(config) };
}

function mapOf(plain: unknown): GoMap {
  const value = fromPlain(plain ?? {});
  return value instanceof GoMap ? value : dict();
}

const nameless: Omit<Chart, "values"> = {
  metadata: {
    name: "",
    home: "",
    sources: [],
    version: "",
    description: "",
    keywords: [],
    maintainers: [],
    icon: "",
    apiVersion: "",
    condition: "",
    tags: "",
    appVersion: "",
    deprecated: false,
    annotations: {},
    kubeVersion: "",
    dependencies: undefined,
    type: "",
  },
  templates: [],
  files: [],
  raw: [],
  dependencies: [],
};

function fileJson({ name, data }: ChartFile): Fields {
  return { name, modtime: noTime, data: Buffer.from(data).toString("base64") };
}

function metadataJson({ maintainers, dependencies, ...rest }: Metadata): Fields {
  return kept({ ...rest, maintainers: maintainers.map(kept), dependencies: dependencies?.map(dependencyJson) });
}

function lockJson({ generated, digest, dependencies }: Lock): Fields {
  return { generated: generated === "" ? noTime : generated, digest, dependencies: dependencies.map(dependencyJson) };
}

function dependencyJson({ name, repository, importValues, ...rest }: Dependency): Fields {
  const imports = importValues.map((each) => (each instanceof GoMap ? toPlain(each) : each));
  // Written even when empty, as in Helm's JSON.
  return { name, repository, ...kept({ ...rest, "import-values": imports }) };
}

/** Go's omitempty. */
function kept(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === "" || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

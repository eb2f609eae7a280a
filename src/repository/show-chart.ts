import { crdFiles, fileText, type Chart, type Dependency, type Metadata } from "../chart/index.ts";
import { marshalYaml } from "../lang/yaml/index.ts";

/** The part of a chart to show. */
export type ShowOutputFormat = "all" | "chart" | "crds" | "readme" | "values";

const readmes = ["readme.md", "readme.txt", "readme"];

/** Shows a chart, byte for byte as `helm show` prints it. Models helm pkg/action/show.go */
export function showChart(chart: Chart, what: ShowOutputFormat): string {
  const isAll = what === "all";
  const parts: string[] = [];
  if (isAll || what === "chart") parts.push(`${metadataText(chart.metadata)}\n`);
  if (isAll || what === "values") parts.push(...valuesOf(chart, isAll));
  if (isAll || what === "readme") parts.push(...readmeOf(chart, isAll));
  if (isAll || what === "crds") parts.push(...crdsOf(chart));
  return parts.join("");
}

function valuesOf({ raw }: Chart, isAll: boolean): readonly string[] {
  const values = raw.filter(({ name }) => name === "values.yaml").map(({ data }) => `${fileText(data)}\n`);
  return values.length > 0 && isAll ? ["---\n", ...values] : values;
}

function readmeOf({ files }: Chart, isAll: boolean): readonly string[] {
  const readme = files.find(({ name }) => readmes.includes(name.toLowerCase()));
  return readme === undefined ? [] : [...(isAll ? ["---\n"] : []), `${fileText(readme.data)}\n`];
}

function crdsOf(chart: Chart): readonly string[] {
  return crdFiles(chart).map(({ data }) => {
    const text = fileText(data);
    return `${text.startsWith("---") ? "" : "---\n"}${text}\n`;
  });
}

/** Formats `Chart.yaml` as Helm does, without empty fields. */
export function metadataText(metadata: Metadata): string {
  const { maintainers, annotations, dependencies = [], ...others } = metadata;
  return marshalYaml(
    withoutEmpty({
      ...others,
      annotations,
      maintainers: maintainers.map((each) => withoutEmpty(each)),
      dependencies: dependencies.map(dependencyFields),
    }),
  );
}

function dependencyFields({ name, version, repository, condition, tags, enabled, importValues, alias }: Dependency): unknown {
  return { name, ...withoutEmpty({ version, condition, tags, enabled, "import-values": importValues, alias }), repository };
}

function withoutEmpty(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === "" || value === false || value === undefined;
}

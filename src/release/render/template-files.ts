import type { Chart } from "../../chart/index.ts";
import { dict, fromBytes, GoMap, int, type GoValue } from "../../lang/template/index.ts";
import { chartObject } from "./builtin-object/chart.ts";
import { capabilitiesValue, type Capabilities } from "./builtin-object/capabilities.ts";
import { filesValue } from "./builtin-object/files.ts";
import { valuesMap, valuesType } from "./builtin-object/values.ts";
import type { TemplateFile } from "./render-templates.ts";

/** What templates see as `.Release`. */
export type ReleaseFacts = {
  readonly name: string;
  readonly namespace: string;
  /** Default: 1. */
  readonly revision?: number;
  /** Default false: it is an install. */
  readonly isUpgrade?: boolean;
};

/**
 * The templates of a chart and its subcharts, each with its context. Templates of one chart share their objects, and a
 * subchart's values are the very table in its parent's: changes are visible to later templates. Models helm pkg/engine
 * recAllTpls
 */
export function templateFilesOf(chart: Chart, values: GoMap, release: ReleaseFacts, capabilities: Capabilities): Map<string, TemplateFile> {
  const found = new Map<string, TemplateFile>();
  const shared = { Release: releaseObject(release), Capabilities: capabilitiesValue(capabilities) };
  collect(chart, { path: chart.metadata.name, isRoot: true, values: values.as(valuesType) }, shared, found);
  return found;
}

type Place = { readonly path: string; readonly isRoot: boolean; readonly values: GoMap };

function collect(chart: Chart, place: Place, shared: Readonly<Record<string, GoValue>>, found: Map<string, TemplateFile>): GoMap {
  const { path, isRoot, values } = place;
  const subcharts = dict();
  const context = dict({
    Chart: chartObject(chart.metadata, isRoot),
    Files: filesValue(chart.files.map(({ name, data }) => [name, data])),
    ...shared,
    Values: values,
    Subcharts: subcharts,
  });
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    subcharts.set(name, collect(child, { path: `${path}/charts/${name}`, isRoot: false, values: tableAt(values, name) }, shared, found));
  }
  const seen = context.as(valuesType);
  for (const { name, data } of chart.templates)
    if (takesPart(chart, name)) found.set(`${path}/${name}`, { text: fromBytes(data), context: seen, basePath: `${path}/templates` });
  return context;
}

/** The values of a subchart. Dots in its name are path separators, as in Helm. */
function tableAt(values: GoMap, name: string): GoMap {
  let table: GoMap = values;
  for (const part of name.split(".")) {
    const next = table.get(part);
    if (!(next instanceof GoMap)) return valuesMap([]);
    table = next;
  }
  return table.as(valuesType);
}

/** Of a library chart only partials count. */
function takesPart({ metadata }: Chart, name: string): boolean {
  return metadata.type.toLowerCase() !== "library" || name.slice(name.lastIndexOf("/") + 1).startsWith("_");
}

function releaseObject({ name, namespace, revision = 1, isUpgrade = false }: ReleaseFacts): GoMap {
  return dict({
    Name: name,
    Namespace: namespace,
    IsUpgrade: isUpgrade,
    IsInstall: !isUpgrade,
    Revision: int(revision),
    Service: "Helm",
  });
}

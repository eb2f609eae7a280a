import { parseConstraint, parseVersion, satisfies } from "../lang/semver/index.ts";
import type { GoMap, GoValue } from "../lang/template/index.ts";
import type { Chart, Dependency } from "./chart.ts";
import { coalesceValues } from "./coalesce.ts";
import { withImportedValues } from "./import-values.ts";
import { slogLine } from "./slog-line.ts";
import { tableAt, pathValue } from "./table.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

type ProcessDependenciesOptions = { readonly helm?: 3 | 4; readonly warn?: Warn };

/**
 * Decides the dependencies of a chart: removes those that tags or conditions disable, applies aliases, and adds the
 * imported values of subcharts to the defaults. Unchanged charts are shared, and decisions for the same chart are
 * cached. Models helm pkg/chart/v2/util ProcessDependencies
 */
export function processDependencies(
  chart: Chart,
  values: GoMap,
  { helm = 4, warn = ignoreWarning }: ProcessDependenciesOptions = {},
): Chart {
  const warned = new Set<string>();
  const once: Warn = (warning) => {
    if (!warned.has(warning)) warn(warning);
    warned.add(warning);
  };
  return withImportedValues(withEnabled(chart, values, "", { helm, warn: once }), once);
}

/** Names of the charts that `Chart.yaml` lists and `charts/` lacks. Models helm pkg/action CheckDependencies */
export function missingDependencies({ metadata, dependencies }: Chart): readonly string[] {
  const present = new Set(dependencies.map((each) => each.metadata.name));
  return (metadata.dependencies ?? []).map(({ name }) => name).filter((name) => !present.has(name));
}

/** Models processDependencyEnabled. `path` leads from the root to the chart, because conditions are looked up from the root. */
function withEnabled(chart: Chart, values: GoMap, path: string, options: Required<ProcessDependenciesOptions>): Chart {
  const wanted = chart.metadata.dependencies;
  if (wanted === undefined) return chart;
  const candidates = candidatesOf(chart, wanted);
  // A trap: the defaults of a nested chart are laid over the values of the root, as Helm does.
  const known = coalesceValues({ ...chart, dependencies: candidates }, values, options);
  const named = wanted.map((each) => (each.alias === "" ? each : { ...each, name: each.alias }));
  const disabled = new Set(named.filter((each) => !isEnabled(each, known, path, options.warn)).map(({ name }) => name));
  const kept = candidates.filter(({ metadata }) => !disabled.has(metadata.name));
  const settled = kept.map((child) => withEnabled(child, known, `${path}${child.metadata.name}.`, options));
  return rebuilt(
    chart,
    settled,
    named.filter(({ name }) => !disabled.has(name)),
  );
}

/** The available charts: first those that nobody lists, then the listed ones under the names they are listed with. */
function candidatesOf(chart: Chart, wanted: readonly Dependency[]): readonly Chart[] {
  const unasked = chart.dependencies.filter((each) => !wanted.some((want) => fits(each, want)));
  const asked = wanted.flatMap((want) => {
    const found = chart.dependencies.find((each) => fits(each, want));
    return found === undefined ? [] : [renamed(found, want.alias)];
  });
  return [...unasked, ...asked];
}

function fits({ metadata }: Chart, { name, version }: Dependency): boolean {
  return metadata.name === name && isCompatible(version, metadata.version);
}

/** Models helm pkg/chart/v2/util IsCompatibleRange: an invalid version or constraint matches nothing. */
function isCompatible(constraint: string, version: string): boolean {
  try {
    return satisfies(parseVersion(version), parseConstraint(constraint));
  } catch {
    // Not a version, or not a constraint.
    return false;
  }
}

/** Evaluates tags first, then conditions. The first condition that is present and a boolean decides. */
function isEnabled(dependency: Dependency, values: GoMap, path: string, warn: Warn): boolean {
  const { name, condition } = dependency;
  const byTags = enabledByTags(dependency, values, warn);
  for (const each of condition.trim().split(",")) {
    if (each === "") continue;
    const value = pathValue(values, path + each);
    if (typeof value === "boolean") return value;
    if (value !== undefined) warn(slogLine("returned non-bool value", { path: each, chart: name }));
  }
  return byTags;
}

function enabledByTags({ name, tags }: Dependency, values: GoMap, warn: Warn): boolean {
  const table = tableAt(values, "tags");
  if (table === undefined) return true;
  const switches = tags.map((tag): [string, GoValue] => [tag, table.get(tag)]).filter(([, value]) => value !== undefined);
  for (const [tag, value] of switches) if (typeof value !== "boolean") warn(slogLine("returned non-bool value", { tag, chart: name }));
  return switches.some(([, value]) => value === true) || !switches.some(([, value]) => value === false);
}

const renamedCharts = new WeakMap<Chart, Map<string, Chart>>();

/** The chart under another name. The same chart and name always give the same object. */
function renamed(chart: Chart, alias: string): Chart {
  if (alias === "" || alias === chart.metadata.name) return chart;
  const known = renamedCharts.get(chart) ?? new Map<string, Chart>();
  renamedCharts.set(chart, known);
  const copy = known.get(alias) ?? { ...chart, metadata: { ...chart.metadata, name: alias } };
  known.set(alias, copy);
  return copy;
}

const results = new WeakMap<Chart, Chart[]>();
/** How many results are cached for one chart. Results differ in what is enabled. */
const maxResults = 8;

function rebuilt(chart: Chart, dependencies: readonly Chart[], wanted: readonly Dependency[]): Chart {
  const known = results.get(chart) ?? [];
  const same = known.find(
    (each) =>
      isSame(each.dependencies, dependencies) &&
      isSame(
        each.metadata.dependencies?.map(({ name }) => name) ?? [],
        wanted.map(({ name }) => name),
      ),
  );
  if (same !== undefined) return same;
  // Without any dependency left, the chart counts as one that lists none, as in Helm.
  const enabled = wanted.length === 0 ? undefined : wanted.map((each) => ({ ...each, enabled: true }));
  const made = { ...chart, dependencies, metadata: { ...chart.metadata, dependencies: enabled } };
  results.set(chart, [made, ...known.slice(0, maxResults - 1)]);
  return made;
}

function isSame<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

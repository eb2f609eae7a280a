import { Fault } from "../core/fault/index.ts";
import { isFields } from "../core/object/index.ts";
import { fromPlain, GoList, GoMap, quote, types, sprintValue, type GoValue } from "../lang/template/index.ts";
import type { Chart, Dependency } from "./chart.ts";
import { mergeTables, mergeValues } from "./coalesce.ts";
import { slogLine } from "./slog-line.ts";
import { missingTable, tableAt } from "./table.ts";
import { copyOfMap } from "./read-values.ts";
import type { Warn } from "./warning.ts";

type ImportResult = { readonly chart: Chart; readonly warnings: readonly string[] };

const importResults = new WeakMap<Chart, ImportResult>();

/**
 * Adds the defaults that a parent gets from its subcharts: all of them under the subcharts' names, and the imported
 * ones where the parent wants them. The parent's own defaults win. The result does not depend on user values, so it is
 * computed once for a chart. Models helm pkg/chart/v2/util processDependencyImportValues
 */
export function withImportedValues(chart: Chart, warn: Warn): Chart {
  const known = importResults.get(chart) ?? importResultFor(chart);
  importResults.set(chart, known);
  for (const warning of known.warnings) warn(warning);
  return known.chart;
}

function importResultFor(chart: Chart): ImportResult {
  const warnings: string[] = [];
  const warn: Warn = (warning) => void warnings.push(warning);
  const dependencies = chart.dependencies.map((child) => withImportedValues(child, warn));
  const isUnchanged = dependencies.every((child, index) => child === chart.dependencies[index]);
  const rebuilt = isUnchanged ? chart : { ...chart, dependencies };
  const wanted = chart.metadata.dependencies;
  if (wanted === undefined) return { chart: rebuilt, warnings };
  const values = mergeValues(rebuilt, new GoMap(), warn);
  const imports = wanted.map((each) => importsOf(each));
  const imported = collect(wanted, imports, values, warn);
  if (imported === undefined || (imported.size > 0 && isCyclic(values))) throw cycle(chart);
  const whole = imported.size === 0 ? values : copyOfMap(values);
  mergeTables(whole, imported, warn);
  const settled = wanted.map((each, index) => ({ ...each, importValues: imports[index]!.map(importMap) }));
  return { chart: { ...rebuilt, values: whole, metadata: { ...chart.metadata, dependencies: settled } }, warnings };
}

type Import = { readonly child: string; readonly parent: string; readonly isExport: boolean };

function importsOf({ importValues }: Dependency): readonly Import[] {
  return importValues.flatMap((each): readonly Import[] => {
    if (typeof each === "string") return [{ child: `exports.${each}`, parent: ".", isExport: true }];
    if (!isFields(each)) return [];
    return [{ child: goText(each["child"]), parent: goText(each["parent"]), isExport: false }];
  });
}

function goText(value: unknown): string {
  return sprintValue(fromPlain(value));
}

function importMap({ child, parent }: Import): GoMap {
  return new GoMap(types.stringMap, Object.entries({ child, parent }));
}

/**
 * All imported values in one map. Its tables are those of the subcharts, so two imports of one name also end up in the
 * first subchart's table, as in Helm. Undefined when that does not terminate.
 */
function collect(wanted: readonly Dependency[], imports: readonly (readonly Import[])[], values: GoMap, warn: Warn): GoMap | undefined {
  const whole = new GoMap();
  for (const [index, { name }] of wanted.entries()) {
    for (const { child, parent, isExport } of imports[index]!) {
      const path = `${name}.${child}`;
      const table = tableAt(values, path);
      if (table !== undefined) {
        if (!mergeShared(whole, nested(parent, table), [], warn)) return undefined;
      } else warn(missingLine(name, missingTable(values, path), isExport));
    }
  }
  return whole;
}

/** Whether a table contains itself. Helm crashes on it. */
function isCyclic(value: GoValue, above: ReadonlySet<GoValue> = new Set()): boolean {
  if (value instanceof GoList) return value.items.some((item) => isCyclic(item, above));
  if (!(value instanceof GoMap)) return false;
  if (above.has(value)) return true;
  const way = new Set([...above, value]);
  return [...value.values()].some((element) => isCyclic(element, way));
}

function cycle({ metadata }: Chart): Fault {
  return new Fault(`import-values of chart ${quote(metadata.name)} put a table inside itself`, undefined, { final: true });
}

function missingLine(chart: string, table: string, isExport: boolean): string {
  const error = `${quote(table)} is not a table`;
  return isExport ? slogLine("ImportValues missing table", { error }) : slogLine("ImportValues missing table from chart", { chart, error });
}

/** Wraps the table in as many maps as the path has parts. */
function nested(path: string, table: GoMap): GoMap {
  const inner = table.size === 0 ? new GoMap() : table;
  if (path === ".") return inner;
  return path.split(".").reduceRight((below, key) => new GoMap().set(key, below), inner);
}

/** No values are nested this deep unless a table contains itself. */
const deepest = 2000;

/**
 * Takes over what only `other` has, without copying. A null in one becomes a null in the other. Returns false when it
 * does not terminate. Models coalesceTablesFullKey
 */
function mergeShared(whole: GoMap, other: GoMap, path: readonly string[], warn: Warn): boolean {
  if (path.length > deepest) return false;
  for (const [key, value] of whole) if (value === null) other.set(key, null);
  for (const [key, value] of other) {
    const full = [...path, key];
    const known = whole.get(key);
    if (known === undefined) whole.set(key, value);
    else if (value instanceof GoMap) {
      if (!(known instanceof GoMap)) warn(`warning: cannot overwrite table with non table for ${full.join(".")} (${sprintValue(value)})`);
      else if (!mergeShared(known, value, full, warn)) return false;
    } else if (known instanceof GoMap && value !== null)
      warn(`warning: destination for ${full.join(".")} is a table. Ignoring non-table value (${sprintValue(value)})`);
  }
  return true;
}

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
        if (!mergeShared(whole, nested(parent, table), warn)) return undefined;
      } else warn(missingLine(name, missingTable(values, path), isExport));
    }
  }
  return whole;
}

/** Whether a table contains itself. Helm crashes on it. Without recursion, as values are nested up to 10,000 deep. */
function isCyclic(values: GoMap): boolean {
  const above = new Set<GoValue>();
  const done = new Set<GoValue>();
  const stack: { readonly value: GoValue; readonly elements: Iterator<GoValue> }[] = [];
  const enter = (value: GoMap | GoList): void => {
    above.add(value);
    stack.push({ value, elements: (value instanceof GoMap ? [...value.values()] : value.items).values() });
  };
  enter(values);
  for (let last = stack.at(-1); last !== undefined; last = stack.at(-1)) {
    const next = last.elements.next();
    if (next.done === true) {
      stack.pop();
      above.delete(last.value);
      done.add(last.value);
    } else if ((next.value instanceof GoMap || next.value instanceof GoList) && !done.has(next.value)) {
      if (above.has(next.value)) return true;
      enter(next.value);
    }
  }
  return false;
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

/** No values are nested this deep unless a table contains itself: the parser of YAML takes 10,000 levels. */
const deepest = 20_000;

type Merge = { readonly whole: GoMap; readonly entries: Iterator<readonly [string, GoValue]> };

/**
 * Takes over what only `other` has, without copying. A null in one becomes a null in the other. Returns false when it
 * does not terminate. Models coalesceTablesFullKey
 */
function mergeShared(whole: GoMap, other: GoMap, warn: Warn): boolean {
  const path: string[] = [];
  const merges = [mergeOf(whole, other)];
  for (let last = merges.at(-1); last !== undefined; last = merges.at(-1)) {
    const next = last.entries.next();
    if (next.done === true) {
      merges.pop();
      path.pop();
      continue;
    }
    const [key, value] = next.value;
    const known = last.whole.get(key);
    const name = () => [...path, key].join(".");
    if (known === undefined) last.whole.set(key, value);
    else if (value instanceof GoMap) {
      if (!(known instanceof GoMap)) warn(`warning: cannot overwrite table with non table for ${name()} (${sprintValue(value)})`);
      else if (path.push(key) > deepest) return false;
      else merges.push(mergeOf(known, value));
    } else if (known instanceof GoMap && value !== null)
      warn(`warning: destination for ${name()} is a table. Ignoring non-table value (${sprintValue(value)})`);
  }
  return true;
}

function mergeOf(whole: GoMap, other: GoMap): Merge {
  for (const [key, value] of whole) if (value === null) other.set(key, null);
  return { whole, entries: other[Symbol.iterator]() };
}

import { Fault } from "../core/fault/index.ts";
import { GoMap, quote, sprintf, types, sprintValue, type GoValue, type ReflectType } from "../lang/template/index.ts";
import type { Chart } from "./chart.ts";
import { copyOf, copyOfMap } from "./read-values.ts";
import { ignoreWarning, type Warn } from "./warning.ts";

type CoalesceOptions = {
  /** The Helm version to follow. Helm 3 keeps nulls of chart defaults. Default: 4. */
  readonly helm?: 3 | 4;
  /** The Go type of the result. Default: `map[string]interface {}`. */
  readonly type?: ReflectType;
  readonly warn?: Warn;
};

/**
 * Computes the values that a chart and its subcharts are rendered with: user values over the chart's defaults over the
 * subcharts' defaults. Maps are merged, everything else is replaced, and a null of the user removes a default. The
 * result shares no map with its inputs, so templates may change it. Models helm pkg/chart/common/util CoalesceValues
 */
export function coalesceValues(
  chart: Chart,
  values: GoMap,
  { helm = 4, type = types.anyMap, warn = ignoreWarning }: CoalesceOptions = {},
): GoMap {
  return new Coalescing({ merge: false, dropNulls: helm !== 3, warn }).chart(chart, ownedCopy(values, type), "");
}

/** Does the same and keeps all nulls, for values that are coalesced again later. Models helm pkg/chart/common/util MergeValues */
export function mergeValues(chart: Chart, values: GoMap, warn: Warn = ignoreWarning): GoMap {
  return new Coalescing({ merge: true, dropNulls: false, warn }).chart(chart, ownedCopy(values, types.anyMap), "");
}

/** Lays `values` over `defaults` in a new map. Models helm pkg/chart/common/util CoalesceTables */
export function coalesceTables(values: GoMap, defaults: GoMap, warn: Warn = ignoreWarning): GoMap {
  const whole = copyOfMap(values);
  new Coalescing({ merge: false, dropNulls: false, warn }).tables(whole, defaults, "", false, false);
  return whole;
}

/** Adds `defaults` to a map that belongs to the caller, and keeps all nulls. Models helm pkg/chart/common/util MergeTables */
export function mergeTables(owned: GoMap, defaults: GoMap, warn: Warn): void {
  new Coalescing({ merge: true, dropNulls: false, warn }).tables(owned, defaults, "", true, false);
}

function ownedCopy(values: GoMap, type: ReflectType): GoMap {
  const copy = new GoMap(type);
  for (const [key, element] of values) copy.set(key, copyOf(element));
  return copy;
}

/** A table that is being completed by the defaults that are left. */
type OpenTable = { readonly values: GoMap; readonly presets: Iterator<[string, GoValue], undefined>; readonly path: string };

/**
 * One run. It owns the maps that it fills and changes them in place. Tables two levels below `global` are shared
 * between a chart and its parent, so an addition for one is visible to the other, as in Helm. Defaults are read-only
 * and copied when they are used.
 */
class Coalescing {
  readonly #merge: boolean;
  /** Whether nulls among charts' defaults count as absent. */
  readonly #dropNulls: boolean;
  readonly #warn: Warn;

  constructor({ merge, dropNulls, warn }: { readonly merge: boolean; readonly dropNulls: boolean; readonly warn: Warn }) {
    this.#merge = merge;
    this.#dropNulls = dropNulls;
    this.#warn = warn;
  }

  /** Completes the values of a chart and of its subcharts. */
  chart(chart: Chart, values: GoMap, prefix: string): GoMap {
    const path = joined(prefix, chart.metadata.name);
    this.#defaults(chart, values, path);
    for (const child of chart.dependencies) {
      const { name } = child.metadata;
      const known = values.get(name);
      if (known !== undefined && !(known instanceof GoMap))
        throw new Fault(`type mismatch on ${name}: ${sprintf("%t", [known])}`, undefined, { final: true });
      const table = known ?? new GoMap();
      values.set(name, table);
      this.#globals(table, values, path);
      this.chart(child, table, path);
    }
    return values;
  }

  /** Models coalesceValues */
  #defaults(chart: Chart, values: GoMap, path: string): void {
    for (const [key, preset] of chart.values) {
      const value = values.get(key);
      if (value === undefined) {
        if (this.#dropNulls && preset === null) continue;
        values.set(key, this.#dropNulls && preset instanceof GoMap ? copyOf(preset, true) : copyOf(preset));
      } else if (value === null) {
        if (!this.#merge) values.delete(key);
      } else if (value instanceof GoMap) {
        if (preset instanceof GoMap) {
          // The nulls in a subchart's table take effect when that subchart is coalesced.
          const merge = this.#merge || chart.dependencies.some(({ metadata }) => metadata.name === key);
          this.tables(value, preset, joined(path, key), merge, this.#dropNulls && !merge);
        } else if (preset !== null) this.#warn(`warning: skipped value for ${path}.${key}: Not a table.`);
      }
    }
  }

  /** Copies what only `defaults` has into `values`, table by table. Models coalesceTablesFullKey */
  tables(values: GoMap, defaults: GoMap, path: string, merge: boolean, dropNulls: boolean): void {
    const open: OpenTable[] = [{ values, presets: defaults.entries(), path }];
    for (let table = open.at(-1); table !== undefined; table = open.at(-1)) {
      const { done, value } = table.presets.next();
      if (done === true) open.pop();
      else {
        const below = this.#preset(table, value[0], value[1], merge, dropNulls);
        if (below !== undefined) open.push(below);
      }
    }
  }

  /** Adds a default to a table. Returns the table to go on with where both have one. */
  #preset({ values, path }: OpenTable, key: string, preset: GoValue, merge: boolean, dropNulls: boolean): OpenTable | undefined {
    if (preset === null && dropNulls) return undefined;
    const value = values.get(key);
    if (value === undefined) {
      values.set(key, dropNulls && preset instanceof GoMap ? copyOf(preset, true) : copyOf(preset));
    } else if (value === null) {
      if (!merge && preset !== null) values.delete(key);
    } else if (preset instanceof GoMap) {
      if (value instanceof GoMap) return { values: value, presets: preset.entries(), path: joined(path, key) };
      const shown = sprintValue(dropNulls ? copyOf(preset, true) : preset);
      this.#warn(`warning: cannot overwrite table with non table for ${joined(path, key)} (${shown})`);
    } else if (value instanceof GoMap && preset !== null)
      this.#warn(`warning: destination for ${joined(path, key)} is a table. Ignoring non-table value (${sprintValue(preset)})`);
    return undefined;
  }

  /** Passes the globals of a chart to a subchart. Models coalesceGlobals */
  #globals(child: GoMap, parent: GoMap, path: string): void {
    const [below = new GoMap(), above = new GoMap()] = [child.get("global"), parent.get("global")];
    if (!(below instanceof GoMap)) return this.#warn("warning: skipping globals because destination global is not a table.");
    if (!(above instanceof GoMap)) return this.#warn("warning: skipping globals because source global is not a table.");
    for (const [key, value] of above) {
      const known = below.get(key);
      if (value instanceof GoMap) {
        // Copies the first level only: everything below is shared by both.
        const table = new GoMap(value.type, value);
        if (known instanceof GoMap) this.tables(table, known, joined(path, key), true, false);
        else if (known !== undefined) {
          this.#warn(`Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`);
          continue;
        }
        below.set(key, table);
      } else if (known instanceof GoMap) this.#warn(`key ${key} is table. Skipping`);
      else below.set(key, value);
    }
    child.set("global", below);
  }
}

function joined(prefix: string, key: string): string {
  return prefix === "" ? key : `${prefix}.${key}`;
}

import { LuaError } from "./run/error.ts";
import { spend } from "./run/machine.ts";
import { typeName } from "./run/meta.ts";
import { LuaTable } from "./run/table.ts";
import type { LuaValue } from "./run/value.ts";
import { textOfValue } from "./library/tostring.ts";
import { textOf } from "./text.ts";

/** Plain JSON. Nothing of it is ever changed. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json | undefined };

/**
 * The JSON of what a script returns. A table with a list is an array, and what else it holds is left out; any other is an
 * object. A table that was JSON and was not written to is that same JSON again, with its empty arrays and all.
 */
export function toJson(value: LuaValue): Json | undefined {
  return converted(value, new Set());
}

function converted(value: LuaValue, within: Set<LuaTable>): Json | undefined {
  spend(1);
  switch (typeof value) {
    case "undefined":
    case "boolean":
      return value;
    case "string":
      spend(value.length >> 6);
      return textOf(value);
    case "number":
      if (!Number.isFinite(value)) throw new LuaError(`cannot convert ${textOfValue(value)} to JSON`);
      return value;
    default:
      if (value instanceof LuaTable) return fromTable(value, within);
      throw new LuaError(`cannot convert a ${typeName(value)} to JSON`);
  }
}

function fromTable(table: LuaTable, within: Set<LuaTable>): Json {
  if (isUntouched(table)) return table.origin as Json;
  if (within.has(table)) throw new LuaError("cannot convert a table that holds itself to JSON");
  if (within.size > 200) throw new LuaError("cannot convert tables nested this deeply to JSON");
  within.add(table);
  const json = table.length > 0 || (table.isArray && (table.hash?.size ?? 0) === 0) ? list(table, within) : fields(table, within);
  within.delete(table);
  return json;
}

function list(table: LuaTable, within: Set<LuaTable>): Json {
  return table.list.map((item) => converted(item, within) ?? null);
}

function fields(table: LuaTable, within: Set<LuaTable>): Json {
  table.fill();
  const entries: [string, Json | undefined][] = [];
  for (const [key, value] of table.hash ?? []) entries.push([textOf(textOfValue(key)), converted(value, within)]);
  return Object.fromEntries(entries);
}

/** Is it, with all that is in it, still the JSON that it was made of? */
function isUntouched(table: LuaTable): boolean {
  spend(1);
  if (table.origin === undefined) return false;
  const inner = [...table.list, ...(table.hash?.values() ?? [])];
  return inner.every((value) => !(value instanceof LuaTable) || isUntouched(value));
}

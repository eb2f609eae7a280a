import { LuaError } from "./run/error.ts";
import { spend } from "./run/machine.ts";
import { luaTypeName } from "./run/metatable.ts";
import { LuaTable } from "./run/table.ts";
import type { LuaValue } from "./run/value.ts";
import { textOfValue } from "./library/tostring.ts";
import { decodeLuaString } from "./lua-string.ts";

/** Plain JSON, treated as immutable. */
export type LuaJson = null | boolean | number | string | readonly LuaJson[] | { readonly [name: string]: LuaJson | undefined };

const deepest = 201;
const plainField = { enumerable: true, writable: true, configurable: true };

/**
 * Converts a script's result to JSON. A table with a list part is an array, and its other keys are dropped; any other table is an
 * object. A table that came from JSON and was not written to is returned as the same JSON, empty arrays included.
 */
export function luaToJson(value: LuaValue): LuaJson | undefined {
  return converted(value, undefined);
}

/** The chain of tables around a table that is being converted. */
type Ancestors = { readonly table: LuaTable; readonly within: Ancestors | undefined; readonly depth: number };

function converted(value: LuaValue, within: Ancestors | undefined): LuaJson | undefined {
  spend(1);
  switch (typeof value) {
    case "undefined":
    case "boolean":
      return value;
    case "string":
      spend(value.length >> 6);
      return decodeLuaString(value);
    case "number":
      if (!Number.isFinite(value)) throw new LuaError(`cannot convert ${textOfValue(value)} to JSON`);
      return value;
    default:
      if (value instanceof LuaTable) return fromTable(value, within);
      throw new LuaError(`cannot convert a ${luaTypeName(value)} to JSON`);
  }
}

function fromTable(table: LuaTable, within: Ancestors | undefined): LuaJson {
  if (isUntouched(table)) return table.origin as LuaJson;
  const place = { table, within, depth: within === undefined ? 1 : within.depth + 1 };
  spend(place.depth >> 4);
  for (let outer = within; outer !== undefined; outer = outer.within)
    if (outer.table === table) throw new LuaError("cannot convert a table that holds itself to JSON");
  if (place.depth > deepest) throw new LuaError("cannot convert tables nested this deeply to JSON");
  return table.length > 0 || (table.isArray && (table.hash?.size ?? 0) === 0) ? list(table, place) : fields(table, place);
}

function list(table: LuaTable, place: Ancestors): LuaJson {
  return table.list.map((item) => converted(item, place) ?? null);
}

function fields(table: LuaTable, place: Ancestors): LuaJson {
  table.fill();
  const json: Record<string, LuaJson | undefined> = {};
  for (const [key, value] of table.hash ?? []) {
    const name = decodeLuaString(textOfValue(key));
    // Assignment to `__proto__` would not create a property.
    if (name === "__proto__") Object.defineProperty(json, name, { ...plainField, value: converted(value, place) });
    else json[name] = converted(value, place);
  }
  return json;
}

/** Whether a table and all tables in it are unchanged since they were made from JSON. */
function isUntouched(table: LuaTable): boolean {
  spend(1);
  if (table.origin === undefined) return false;
  for (const value of table.list) if (value instanceof LuaTable && !isUntouched(value)) return false;
  for (const value of table.hash?.values() ?? []) if (value instanceof LuaTable && !isUntouched(value)) return false;
  return true;
}

import { bytesOf } from "../text.ts";
import { Coroutine } from "./coroutine.ts";
import { LuaTable } from "./table.ts";
import type { LuaFunction, LuaValue } from "./value.ts";

/**
 * The Lua value of a JavaScript value: plain objects and arrays become tables, null becomes nil and is left out of arrays,
 * functions are taken to be Lua functions. Objects are not copied but looked at when a field is read.
 */
export function fromHost(value: unknown): LuaValue {
  switch (typeof value) {
    case "string":
      return bytesOf(value);
    case "number":
    case "boolean":
      return value;
    case "bigint":
      return Number(value);
    case "function":
      return value as LuaFunction;
    case "object":
      return value === null ? undefined : fromObject(value);
    default:
      return undefined;
  }
}

function fromObject(value: object): LuaValue {
  if (value instanceof LuaTable || value instanceof Coroutine) return value;
  const table = new LuaTable();
  table.origin = value;
  if (Array.isArray(value)) {
    table.isArray = true;
    table.list = value.map(fromHost).filter((item) => item !== undefined);
  } else table.view = value as Readonly<Record<string, unknown>>;
  return table;
}

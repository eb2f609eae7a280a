import { Coroutine } from "./coroutine.ts";
import { machine } from "./machine.ts";
import { LuaTable } from "./table.ts";
import type { LuaValue } from "./value.ts";

/** The type name that `type` returns. */
export function luaTypeName(value: LuaValue): string {
  switch (typeof value) {
    case "undefined":
      return "nil";
    case "object":
      return value instanceof Coroutine ? "thread" : "table";
    default:
      return typeof value;
  }
}

export function metatableOf(value: LuaValue): LuaTable | undefined {
  if (value instanceof LuaTable) return value.meta;
  return typeof value === "string" ? stringMeta() : undefined;
}

export function metamethod(value: LuaValue, event: string): LuaValue {
  return metatableOf(value)?.getName(event);
}

let lastStrings: LuaTable | undefined;
let lastMeta: LuaTable | undefined;

/** The metatable of strings, through which `s:upper()` finds the string library. */
function stringMeta(): LuaTable | undefined {
  const { strings } = machine;
  if (strings === lastStrings) return lastMeta;
  lastStrings = strings;
  lastMeta = new LuaTable();
  lastMeta.setHash("__index", strings);
  return lastMeta;
}

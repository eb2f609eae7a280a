import { call2, call3, operandName } from "./call.ts";
import { metamethod, luaTypeName } from "./metatable.ts";
import { machine, raiseAt, type DebugLocation } from "./machine.ts";
import { LuaTable } from "./table.ts";
import { firstValue, type LuaValue } from "./value.ts";

const longestChain = 100;

/** `object.name` */
export function luaGetField(object: LuaValue, key: string, location: DebugLocation | undefined): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.getName(key);
    if (value !== undefined || object.meta === undefined) return value;
  } else if (typeof object === "string" && machine.strings !== undefined) return machine.strings.getName(key);
  return getByMeta(object, key, location);
}

/** `object[key]` */
export function luaGetTable(object: LuaValue, key: LuaValue, location: DebugLocation | undefined): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.get(key);
    if (value !== undefined || object.meta === undefined) return value;
  }
  return getByMeta(object, key, location);
}

function getByMeta(start: LuaValue, key: LuaValue, location: DebugLocation | undefined): LuaValue {
  let object = start;
  for (let links = 0; links < longestChain; links++) {
    if (object instanceof LuaTable) {
      const value = object.get(key);
      if (value !== undefined || object.meta === undefined) return value;
    }
    const handler = metamethod(object, "__index");
    if (handler === undefined) {
      if (object instanceof LuaTable) return undefined;
      raiseIndex(object, Object.is(start, object) ? location : { ...location!, what: "" });
    }
    if (typeof handler === "function") return firstValue(call2(location && { ...location, what: "" }, handler, object, key));
    object = handler;
  }
  return raiseAt(location, "loop in gettable");
}

/** `object[key] = value` */
export function luaSetTable(object: LuaValue, key: LuaValue, value: LuaValue, location: DebugLocation | undefined): void {
  if (object instanceof LuaTable && object.meta === undefined) put(object, key, value, location);
  else setByMeta(object, key, value, location);
}

/** `object.name = value` */
export function luaSetField(object: LuaValue, key: string, value: LuaValue, location: DebugLocation | undefined): void {
  if (object instanceof LuaTable && object.meta === undefined) object.setHash(key, value);
  else setByMeta(object, key, value, location);
}

function setByMeta(start: LuaValue, key: LuaValue, value: LuaValue, location: DebugLocation | undefined): void {
  let object = start;
  for (let links = 0; links < longestChain; links++) {
    const handler = metamethod(object, "__newindex");
    if (object instanceof LuaTable && (handler === undefined || object.get(key) !== undefined)) {
      put(object, key, value, location);
      return;
    }
    if (handler === undefined) raiseIndex(object, Object.is(start, object) ? location : { ...location!, what: "" });
    if (typeof handler === "function") {
      call3(location && { ...location, what: "" }, handler, object, key, value);
      return;
    }
    object = handler;
  }
  raiseAt(location, "loop in settable");
}

function put(table: LuaTable, key: LuaValue, value: LuaValue, location: DebugLocation | undefined): void {
  if (typeof key === "number") {
    if (Number.isNaN(key)) raiseAt(location, "table index is NaN");
    table.setNumber(key, value);
  } else if (key === undefined) raiseAt(location, "table index is nil");
  else table.setHash(key, value);
}

function raiseIndex(object: LuaValue, location: DebugLocation | undefined): never {
  const what = location === undefined ? "" : operandName(location.what, location.name);
  return raiseAt(
    location,
    what === "" ? `attempt to index a ${luaTypeName(object)} value` : `attempt to index${what} (a ${luaTypeName(object)} value)`,
  );
}

/** Looks up a method. The caller passes the receiver. */
export function method(object: LuaValue, key: string, location: DebugLocation): LuaValue {
  return luaGetField(object, key, location);
}

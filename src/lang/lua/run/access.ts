import { call2, call3, named } from "./call.ts";
import { metamethod, typeName } from "./meta.ts";
import { machine, raiseAt, type Site } from "./machine.ts";
import { LuaTable } from "./table.ts";
import { first, type LuaValue } from "./value.ts";

const longestChain = 100;

/** `object.name` */
export function getName(object: LuaValue, key: string, site: Site | undefined): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.getName(key);
    if (value !== undefined || object.meta === undefined) return value;
  } else if (typeof object === "string" && machine.strings !== undefined) return machine.strings.getName(key);
  return getByMeta(object, key, site);
}

/** `object[key]` */
export function get(object: LuaValue, key: LuaValue, site: Site | undefined): LuaValue {
  if (object instanceof LuaTable) {
    const value = object.get(key);
    if (value !== undefined || object.meta === undefined) return value;
  }
  return getByMeta(object, key, site);
}

function getByMeta(start: LuaValue, key: LuaValue, site: Site | undefined): LuaValue {
  let object = start;
  for (let links = 0; links < longestChain; links++) {
    if (object instanceof LuaTable) {
      const value = object.get(key);
      if (value !== undefined || object.meta === undefined) return value;
    }
    const handler = metamethod(object, "__index");
    if (handler === undefined) {
      if (object instanceof LuaTable) return undefined;
      raiseIndex(object, Object.is(start, object) ? site : { ...site!, what: "" });
    }
    if (typeof handler === "function") return first(call2(site && { ...site, what: "" }, handler, object, key));
    object = handler;
  }
  return raiseAt(site, "loop in gettable");
}

/** `object[key] = value` */
export function set(object: LuaValue, key: LuaValue, value: LuaValue, site: Site | undefined): void {
  if (object instanceof LuaTable && object.meta === undefined) put(object, key, value, site);
  else setByMeta(object, key, value, site);
}

/** `object.name = value` */
export function setName(object: LuaValue, key: string, value: LuaValue, site: Site | undefined): void {
  if (object instanceof LuaTable && object.meta === undefined) object.setHash(key, value);
  else setByMeta(object, key, value, site);
}

function setByMeta(start: LuaValue, key: LuaValue, value: LuaValue, site: Site | undefined): void {
  let object = start;
  for (let links = 0; links < longestChain; links++) {
    const handler = metamethod(object, "__newindex");
    if (object instanceof LuaTable && (handler === undefined || object.get(key) !== undefined)) {
      put(object, key, value, site);
      return;
    }
    if (handler === undefined) raiseIndex(object, Object.is(start, object) ? site : { ...site!, what: "" });
    if (typeof handler === "function") {
      call3(site && { ...site, what: "" }, handler, object, key, value);
      return;
    }
    object = handler;
  }
  raiseAt(site, "loop in settable");
}

function put(table: LuaTable, key: LuaValue, value: LuaValue, site: Site | undefined): void {
  if (typeof key === "number") {
    if (Number.isNaN(key)) raiseAt(site, "table index is NaN");
    table.setNumber(key, value);
  } else if (key === undefined) raiseAt(site, "table index is nil");
  else table.setHash(key, value);
}

function raiseIndex(object: LuaValue, site: Site | undefined): never {
  const what = site === undefined ? "" : named(site.what, site.name);
  return raiseAt(
    site,
    what === "" ? `attempt to index a ${typeName(object)} value` : `attempt to index${what} (a ${typeName(object)} value)`,
  );
}

/** The method of an object; the object itself is passed on by the caller. */
export function method(object: LuaValue, key: string, site: Site): LuaValue {
  return getName(object, key, site);
}

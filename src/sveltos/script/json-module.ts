import { BadInput } from "../../core/fault/index.ts";
import { allocate, encodeLuaString, fromHost, LuaTable, spend, stringArg, decodeLuaString, textOfValue } from "../../lang/lua/index.ts";
import type { Arguments, LuaFunction, LuaResult, LuaValue, Module } from "../../lang/lua/index.ts";
import { readYaml, writeYaml } from "../../lang/yaml/index.ts";

/** A Lua value that JSON cannot represent. */
class Unwritable extends Error {}

/** The module `json`. On failure its functions return nil and a message. An empty table becomes a list. */
export const jsonModule: Module = {
  decode: (...args: LuaValue[]) => decoded(args, (text) => JSON.parse(text), 1),
  encode: (...args: LuaValue[]) => encoded(args, (value) => JSON.stringify(value)),
  // YAML takes several times as long as JSON.
  fromYAML: (...args: LuaValue[]) => decoded(args, (text) => readYaml(text, "yaml"), 4),
  toYAML: (...args: LuaValue[]) => encoded(args, writeYaml),
} satisfies Readonly<Record<string, LuaFunction>>;

function decoded(args: Arguments, read: (text: string) => unknown, steps: number): LuaResult {
  const bytes = stringArg(args, 1);
  spend(bytes.length * steps);
  allocate(bytes.length * 8);
  try {
    return fromHost(read(decodeLuaString(bytes)));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof BadInput) return [undefined, encodeLuaString(error.message)];
    throw error;
  }
}

function encoded(args: Arguments, write: (value: unknown) => string): LuaResult {
  try {
    const text = encodeLuaString(write(plain(args[0], new Set())));
    spend(text.length);
    return text;
  } catch (error) {
    if (error instanceof Unwritable) return [undefined, error.message];
    throw error;
  }
}

function plain(value: LuaValue, within: Set<LuaTable>): unknown {
  allocate(24);
  if (value === undefined) return null;
  // The same long text may be in many places.
  if (typeof value === "string") {
    spend(value.length >> 3);
    allocate(value.length);
    return decodeLuaString(value);
  }
  if (typeof value === "boolean") return value;
  if (typeof value === "number") {
    if (Number.isFinite(value)) return value;
    throw new Unwritable(`json: unsupported value: ${textOfValue(value)}`);
  }
  if (!(value instanceof LuaTable)) throw new Unwritable(`cannot encode ${typeof value} to JSON`);
  if (within.has(value)) throw new Unwritable("cannot encode recursively nested tables to JSON");
  within.add(value);
  const written = fromTable(value, within);
  within.delete(value);
  return written;
}

function fromTable(table: LuaTable, within: Set<LuaTable>): unknown {
  const entries: [string, unknown][] = [];
  const cursor = table.cursorAtStart();
  let index = 0;
  for (; table.step(cursor); spend(1)) {
    const { key, value } = cursor;
    if (typeof key === "string") entries.push([decodeLuaString(key), plain(value, within)]);
    else if (typeof key !== "number") throw new Unwritable("cannot encode mixed or invalid key types");
    else index += 1;
  }
  if (index > 0 && entries.length > 0) throw new Unwritable("cannot encode mixed or invalid key types");
  if (index > table.length) throw new Unwritable("cannot encode sparse array");
  if (entries.length === 0) return table.list.map((item) => plain(item, within));
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

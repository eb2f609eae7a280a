import { callAll, callFirst } from "../run/call.ts";
import { compileChunk } from "../compile/compile.ts";
import { parseNumber } from "../compile/number.ts";
import { LuaError, LuaFault } from "../run/error.ts";
import { knownIterators } from "../run/for-in.ts";
import { allocate, allocateString, machine, raise, spend, where } from "../run/machine.ts";
import { metamethod, metatableOf, luaTypeName } from "../run/metatable.ts";
import { protectedCall, traceback } from "../run/protected-call.ts";
import { LuaTable } from "../run/table.ts";
import { allValues, isTruthy, noValues, type LuaFunction, type LuaValue } from "../run/value.ts";
import { decodeLuaString } from "../lua-string.ts";
import {
  anyArg,
  argError,
  functionArg,
  integerArg,
  isArgMissing,
  numberArg,
  optionalIntegerArg,
  optionalStringArg,
  stringArg,
  tableArg,
} from "./argument.ts";
import { textOfValue } from "./tostring.ts";

/** The number of values that a C function may push on Lua's stack. */
const mostValues = 8000;
const longestChunkName = 45;

function assert(...args: LuaValue[]): LuaValue[] {
  if (isTruthy(anyArg(args, 1))) return args;
  return raise(optionalStringArg(args, 2, "assertion failed!"));
}

function error(...args: LuaValue[]): never {
  const level = optionalIntegerArg(args, 2, 1);
  const [value] = args;
  const isText = typeof value === "string" || typeof value === "number";
  throw new LuaError(isText && level > 0 ? where(level) + textOfValue(value) : value);
}

function pcall(...args: LuaValue[]): LuaValue[] {
  const f = anyArg(args, 1);
  return protectedCall<LuaValue[]>(
    () => [true, ...allValues(callAll(undefined, f, args.slice(1)))],
    (value) => [false, value],
  );
}

function xpcall(...args: LuaValue[]): LuaValue[] {
  const handler = anyArg(args, 2);
  return protectedCall<LuaValue[]>(
    () => [true, ...allValues(callAll(undefined, args[0], []))],
    (value) =>
      protectedCall<LuaValue[]>(
        () => [false, ...allValues(callAll(undefined, handler, [value]))],
        (second) => [false, second],
      ),
  );
}

const next: LuaFunction = (...args) => {
  const table = tableArg(args, 1);
  const [, key] = args;
  const cursor = key === undefined ? table.cursorAtStart() : table.cursorAt(key);
  if (cursor === undefined) throw new LuaError("invalid key to 'next'");
  table.cursor = cursor;
  if (table.step(cursor)) return [cursor.key, cursor.value];
  table.cursor = undefined;
  return undefined;
};

const ipairsStep: LuaFunction = (...args) => {
  const index = integerArg(args, 2) + 1;
  const value = tableArg(args, 1).getNumber(index);
  return value === undefined ? undefined : [index, value];
};

knownIterators.next = next;
knownIterators.ipairs = ipairsStep;

function select(...args: LuaValue[]): LuaValue | LuaValue[] {
  if (args[0] === "#") return args.length - 1;
  spend(args.length >> 3);
  const position = integerArg(args, 1);
  if (position < 0 ? -position > args.length - 1 : position === 0) argError(1, "index out of range");
  return position < 0 ? args.slice(position) : args.slice(position);
}

function setmetatable(...args: LuaValue[]): LuaTable {
  const table = tableArg(args, 1);
  const meta = args[1];
  if (!(meta instanceof LuaTable) && (meta !== undefined || args.length < 2)) argError(2, "nil or table expected");
  if (table.meta?.getName("__metatable") !== undefined) raise("cannot change a protected metatable");
  table.meta = meta instanceof LuaTable ? meta : undefined;
  return table;
}

function tonumber(...args: LuaValue[]): LuaValue {
  const base = optionalIntegerArg(args, 2, 10);
  const value = anyArg(args, 1);
  if (base === 10) {
    if (typeof value === "string") spend(value.length >> 6);
    return typeof value === "number" ? value : typeof value === "string" ? parseNumber(value) : undefined;
  }
  const text = stringArg(args, 1);
  if (base < 2 || base > 36) argError(2, "base out of range");
  spend(text.length >> 6);
  return inBase(text, base);
}

/** Parses an integer as C's strtoul does: 64 bits, negative numbers wrap around. */
function inBase(text: string, base: number): number | undefined {
  const [, sign, prefix = "", digits = ""] = /^[ \t\n\v\f\r]*([+-]?)(0[xX](?=[0-9a-fA-F]))?([0-9a-zA-Z]+)[ \t\n\v\f\r]*$/.exec(text) ?? [];
  const all = prefix !== "" && base !== 16 ? prefix + digits : digits;
  if (all === "" || all.length > 10_000) return undefined;
  const most = 2n ** 64n - 1n;
  let value = 0n;
  for (const char of all) {
    const digit = Number.parseInt(char, 36);
    if (digit >= base) return undefined;
    value = value * BigInt(base) + BigInt(digit);
    if (value > most) return Number(most);
  }
  return Number(sign === "-" ? BigInt.asUintN(64, -value) : value);
}

function unpack(...args: LuaValue[]): LuaValue[] {
  const table = tableArg(args, 1);
  const from = optionalIntegerArg(args, 2, 1);
  const to = optionalIntegerArg(args, 3, table.length);
  if (from > to) return noValues;
  if (to - from + 1 >= mostValues) raise("too many results to unpack");
  spend(to - from + 1);
  return Array.from({ length: to - from + 1 }, (_, index) => table.getNumber(from + index));
}

/** Compiles a chunk at run time, under the same limits. */
function load(source: string, chunk: string): LuaValue[] {
  // Compiling costs far more time and memory than running.
  spend(5000 + source.length * 50);
  allocate(4096 + source.length * 50);
  try {
    return [compileChunk(source, chunk, true)(machine.globals ?? new LuaTable())];
  } catch (error) {
    if (!(error instanceof LuaFault)) throw error;
    return [undefined, error.message];
  }
}

/** The display name of a chunk without a file: its first line. */
function chunkName(name: string): string {
  if (/^[=@]/.test(name)) return name.slice(1);
  const [text = ""] = name.split("\0", 1);
  const [line = ""] = text.split(/[\n\r]/, 1);
  return line.length < text.length || line.length > longestChunkName
    ? `[string "${line.slice(0, longestChunkName)}..."]`
    : `[string "${line}"]`;
}

function loadPieces(...args: LuaValue[]): LuaValue[] {
  const piece = functionArg(args, 1);
  let source = "";
  for (;;) {
    const text = callFirst(piece);
    if (text === undefined || text === "") return load(source, chunkName(optionalStringArg(args, 2, "=(load)")));
    if (typeof text !== "string") return [undefined, "reader function must return a string"];
    source += text;
    spend(source.length >> 3);
  }
}

function print(...args: LuaValue[]): LuaValue[] {
  const parts = args.map(textOfValue);
  for (const part of parts) allocateString(part.length);
  machine.host.print(decodeLuaString(parts.join("\t")));
  return noValues;
}

/** The base library, without files and modules. */
export const baseLibrary: Readonly<Record<string, LuaFunction | string>> = {
  _VERSION: "Lua 5.1",
  assert,
  collectgarbage: (...args) => (args[0] === "count" ? [numberArg([machine.memory / 1024], 1), 0] : 0),
  error,
  getmetatable: (...args) => metamethod(anyArg(args, 1), "__metatable") ?? metatableOf(args[0]),
  ipairs: (...args) => [ipairsStep, tableArg(args, 1), 0],
  load: loadPieces,
  loadstring: (...args) => load(stringArg(args, 1), chunkName(optionalStringArg(args, 2, stringArg(args, 1)))),
  next,
  pairs: (...args) => [next, tableArg(args, 1), undefined],
  pcall,
  print,
  rawequal: (...args) => anyArg(args, 1) === anyArg(args, 2),
  rawget: (...args) => tableArg(args, 1).get(anyArg(args, 2)),
  rawset: (...args) => {
    const table = tableArg(args, 1);
    const key = anyArg(args, 2);
    anyArg(args, 3);
    if (key === undefined || Number.isNaN(key)) throw new LuaError(`table index is ${key === undefined ? "nil" : "NaN"}`);
    table.set(key, args[2]);
    return table;
  },
  select,
  setmetatable,
  tonumber,
  tostring: (...args) => textOfValue(anyArg(args, 1)),
  type: (...args) => luaTypeName(anyArg(args, 1)),
  unpack,
  xpcall,
};

/** The harmless part of the library `debug`. */
export const debugLibrary: Readonly<Record<string, LuaFunction>> = {
  traceback: (...args) =>
    isArgMissing(args, 1) || typeof args[0] === "string" || typeof args[0] === "number"
      ? `${args[0] === undefined ? "" : `${textOfValue(args[0])}\n`}${traceback()}`
      : args[0],
};

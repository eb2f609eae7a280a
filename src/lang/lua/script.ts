import { LruCache } from "../../core/cache/index.ts";
import { compileChunk, type CompiledChunk } from "./compile/compile.ts";
import { luaToJson, type LuaJson } from "./json.ts";
import { newGlobals, newStrings, type Extensions } from "./library/globals.ts";
import { callAll } from "./run/call.ts";
import { Coroutine } from "./run/coroutine.ts";
import { LimitReached, LuaError, LuaFault } from "./run/error.ts";
import { machine, type LuaHost } from "./run/machine.ts";
import { luaTypeName } from "./run/metatable.ts";
import { asLuaError, isStackOverflow } from "./run/protected-call.ts";
import { fromHost, LuaTable } from "./run/table.ts";
import { allValues, type LuaValue } from "./run/value.ts";
import { encodeLuaString, decodeLuaString } from "./lua-string.ts";

/** The limits of a run. A script cannot catch them with `pcall`. */
export type LuaLimits = {
  /** Calls and loop turns; long loop bodies and long strings count more. Default: 10 million, about 0.1 s. */
  readonly steps?: number;
  /** Bytes of all strings, tables and functions that the run allocates, freed or not. Default: 256 MiB. */
  readonly memory?: number;
  /** Nested calls. Default: 256, as in gopher-lua. A script may catch this one, as Lua's stack overflow. */
  readonly depth?: number;
  /** Bytes of one string. Default: 8 MiB. */
  readonly string?: number;
};

export type LuaRunOptions = {
  readonly limits?: LuaLimits;
  /** Globals that are set after the script has run and before its function is called. */
  readonly globals?: Readonly<Record<string, LuaJson | undefined>>;
  /** Modules and globals of the host. Pass the same object every time: it is prepared once. */
  readonly extensions?: Extensions;
  /** Clock, randomness and output. Default: 1970, never random, and no output. */
  readonly host?: Partial<LuaHost>;
};

/** A compiled script. Every call is a separate run with new globals. */
type LuaScript = {
  readonly name: string;
  /** Runs the script, then calls one of its global functions. Returns the results, nil as undefined. */
  readonly call: (name: string, args: readonly (LuaJson | undefined)[], options?: LuaRunOptions) => readonly (LuaJson | undefined)[];
  /** Runs the script and returns its results. */
  readonly run: (options?: LuaRunOptions) => readonly (LuaJson | undefined)[];
};

/** Measured: 16 bytes for each of its text. */
const scripts = new LruCache<string, LuaScript>({ maxWeight: 2 ** 24, weightOf: (text) => 16 * text.length });
const noExtensions: Extensions = {};
const silent: LuaHost = { now: () => 0, random: () => 0, print: () => {} };

/** Compiles a script. Cached by text and name. Throws a LuaFault of reason `syntax`. */
export function compileLua(source: string, name = "script"): LuaScript {
  return scripts.getOrCreate(`${name}\0${source}`, () => scriptOf(name, compiled(source, name)));
}

function compiled(source: string, name: string): CompiledChunk {
  try {
    return compileChunk(encodeLuaString(source), encodeLuaString(name));
  } catch (error) {
    throw error instanceof LuaFault ? new LuaFault(error.reason, decodeLuaString(error.message)) : error;
  }
}

function scriptOf(name: string, program: CompiledChunk): LuaScript {
  return {
    name,
    run: (options = {}) =>
      limited(name, options, (globals) => {
        setGlobals(globals, options, []);
        return callAll(undefined, program(globals), []);
      }),
    call: (functionName, args, options = {}) =>
      limited(name, options, (globals) => {
        callAll(undefined, program(globals), []);
        const tables: LuaTable[] = [];
        setGlobals(globals, options, tables);
        const f = globals.getName(encodeLuaString(functionName));
        if (typeof f !== "function") throw new LuaError(`${name}: there is no function '${functionName}' (it is ${article(f)})`);
        return callAll(
          undefined,
          f,
          args.map((value) => given(value, tables)),
        );
      }),
  };
}

function article(value: LuaValue): string {
  return value === undefined ? "nil" : `a ${luaTypeName(value)}`;
}

function setGlobals(globals: LuaTable, { globals: values = {} }: LuaRunOptions, tables: LuaTable[]): void {
  for (const name of Object.keys(values)) globals.setHash(encodeLuaString(name), given(values[name], tables));
}

/** An object that is passed twice becomes one table. `tables` are those made so far. */
function given(value: LuaJson | undefined, tables: LuaTable[]): LuaValue {
  if (typeof value !== "object" || value === null) return fromHost(value);
  for (const table of tables) if (table.origin === value) return table;
  const made = fromHost(value);
  if (made instanceof LuaTable) tables.push(made);
  return made;
}

/** Runs with a fresh machine state and restores the old one. */
function limited(name: string, options: LuaRunOptions, run: (globals: LuaTable) => LuaValue | LuaValue[]): (LuaJson | undefined)[] {
  const { steps = 10_000_000, memory = 256 << 20, depth = 256, string = 8 << 20 } = options.limits ?? {};
  // There is a state to restore only when a host function runs a script inside a script.
  const before = machine.globals === undefined ? undefined : { ...machine };
  const resumer = Coroutine.current;
  const globals = newGlobals(options.extensions ?? noExtensions);
  machine.fuel = steps;
  machine.memory = memory;
  machine.depthLimit = depth;
  machine.longestString = string;
  machine.depth = 0;
  machine.callStack = [];
  machine.environments = [];
  machine.tail = undefined;
  machine.globals = globals;
  machine.strings = newStrings();
  machine.modules = undefined;
  machine.host = hostOf(options);
  Coroutine.current = undefined;
  try {
    return allValues(run(globals)).map(luaToJson);
  } catch (error) {
    throw faultOf(name, error);
  } finally {
    machine.globals = undefined;
    if (before !== undefined) Object.assign(machine, before);
    Coroutine.current = resumer;
  }
}

function hostOf({ host = silent }: LuaRunOptions): LuaHost {
  const { now = silent.now, random = silent.random, print = silent.print } = host;
  return { now, random, print };
}

function faultOf(name: string, error: unknown): unknown {
  if (error instanceof LimitReached) {
    const message = decodeLuaString(error.message);
    return new LuaFault("limit", message.startsWith(`${name}:`) ? message : `${name}: ${message}`);
  }
  if (!(error instanceof LuaError) && !(error instanceof RangeError)) return error;
  // Of JavaScript's own limits only the stack is below ours.
  if (error instanceof RangeError && !isStackOverflow(error)) return new LuaFault("limit", `${name}: ${error.message}`);
  const { value } = asLuaError(error);
  if (typeof value === "string") return new LuaFault("runtime", decodeLuaString(value));
  return new LuaFault("runtime", typeof value === "number" ? String(value) : `${name}: the error is a ${luaTypeName(value)} value`);
}

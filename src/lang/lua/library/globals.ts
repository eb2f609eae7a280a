import { machine, raise } from "../run/machine.ts";
import { LuaTable, tableViewOf } from "../run/table.ts";
import type { LuaFunction } from "../run/value.ts";
import { decodeLuaString } from "../lua-string.ts";
import { stringArg } from "./argument.ts";
import { baseLibrary, debugLibrary } from "./base.ts";
import { coroutineLibrary } from "./coroutine.ts";
import { environmentLibrary } from "./environment.ts";
import { mathLibrary } from "./math.ts";
import { osLibrary } from "./os.ts";
import { stringLibrary } from "./string.ts";
import { tableLibrary } from "./table.ts";

/** A module for `require`: functions and plain values by name. */
export type Module = Readonly<Record<string, unknown>>;

/** What the host adds to the standard library. */
export type Extensions = {
  /** Modules for `require`, by name. */
  readonly modules?: Readonly<Record<string, Module>>;
  /** Predefined globals. */
  readonly globals?: Readonly<Record<string, unknown>>;
};

const libraries = {
  ...baseLibrary,
  ...environmentLibrary,
  coroutine: coroutineLibrary,
  debug: debugLibrary,
  math: mathLibrary,
  os: osLibrary,
  string: stringLibrary,
  table: tableLibrary,
};

const prepared = new WeakMap<Extensions, Module>();

/** Creates the globals of one run. They are a lazy view of the libraries, because a script uses few of them. */
export function newGlobals(extensions: Extensions): LuaTable {
  let view = prepared.get(extensions);
  if (view === undefined) {
    view = globalsWith(extensions);
    prepared.set(extensions, view);
  }
  return tableViewOf(view);
}

/** Creates the string library of one run. */
export function newStrings(): LuaTable {
  return tableViewOf(stringLibrary);
}

/** Values that differ between runs are read from the machine when a script asks for them. */
function globalsWith(extensions: Extensions): Module {
  return {
    ...libraries,
    ...extensions.globals,
    get _G() {
      return machine.globals;
    },
    get string() {
      return machine.strings;
    },
    require: requireFrom(extensions),
  };
}

function requireFrom({ modules = {} }: Extensions): LuaFunction {
  return (...args) => {
    const name = stringArg(args, 1);
    const standard = name in libraries ? machine.globals?.getName(name) : undefined;
    if (standard instanceof LuaTable) return standard;
    const known = machine.modules?.get(name);
    if (known !== undefined) return known;
    const module = Object.hasOwn(modules, decodeLuaString(name)) ? modules[decodeLuaString(name)] : undefined;
    if (module === undefined) return raise(`module '${name}' not found`);
    const table = tableViewOf(module);
    (machine.modules ??= new Map()).set(name, table);
    return table;
  };
}

import { raise } from "../run/machine.ts";
import { LuaTable } from "../run/table.ts";
import type { LuaFunction } from "../run/value.ts";
import { textOf } from "../text.ts";
import { stringAt } from "./argument.ts";
import { baseLibrary, debugLibrary } from "./base.ts";
import { coroutineLibrary } from "./coroutine.ts";
import { environmentLibrary } from "./environment.ts";
import { mathLibrary } from "./math.ts";
import { osLibrary } from "./os.ts";
import { stringLibrary } from "./string.ts";
import { tableLibrary } from "./table.ts";

/** A module that scripts `require`: functions and plain values by name. */
export type Module = Readonly<Record<string, unknown>>;

/** What a host adds to the language. */
export type Extensions = {
  /** Modules for `require`, by name. */
  readonly modules?: Readonly<Record<string, Module>>;
  /** Functions and values that are global from the start. */
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

/**
 * New globals for one run. They are a view of the libraries: a script reaches for few of them, and what it changes is its
 * own.
 */
export function newGlobals(extensions: Extensions): LuaTable {
  let view = prepared.get(extensions);
  if (view === undefined) {
    view = { ...libraries, ...extensions.globals };
    prepared.set(extensions, view);
  }
  const globals = new LuaTable();
  globals.view = view;
  globals.hash = new Map().set("_G", globals).set("require", requireFrom(globals, extensions));
  return globals;
}

function requireFrom(globals: LuaTable, { modules = {} }: Extensions): LuaFunction {
  let loaded: Map<string, LuaTable> | undefined;
  return (...args) => {
    const name = stringAt(args, 1);
    const standard = name in libraries ? globals.getName(name) : undefined;
    if (standard instanceof LuaTable) return standard;
    const known = loaded?.get(name);
    if (known !== undefined) return known;
    const module = Object.hasOwn(modules, textOf(name)) ? modules[textOf(name)] : undefined;
    if (module === undefined) return raise(`module '${name}' not found`);
    const table = new LuaTable();
    table.view = module;
    (loaded ??= new Map()).set(name, table);
    return table;
  };
}

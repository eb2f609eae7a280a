import { Pointer, goFunction, isTrue, type FunctionTable, type GoValue } from "../value/index.ts";
import { sprint, sprintln } from "../print/print.ts";
import { sprintf } from "../print/printf.ts";
import { printable } from "../print/printable.ts";
import { call } from "./call.ts";
import { index, length, slice } from "./collection.ts";
import { eq, gt, ge, lt, le, ne } from "./compare.ts";
import { escapeHtml, escapeJs, escapeQuery } from "./escape.ts";

const comparison = "func(reflect.Value, reflect.Value) (bool, error)";

function textOf(args: readonly GoValue[]): string {
  const [first] = args;
  if (args.length === 1 && typeof first === "string") return first;
  return sprint(args.map((arg) => (arg === null ? "<no value>" : arg instanceof Pointer ? printable(arg) : arg)));
}

/** Go's builtin functions. `and`, `or` and `call` are evaluated specially and are here for their signatures. */
export const builtins: FunctionTable = {
  and: goFunction("func(reflect.Value, ...reflect.Value) reflect.Value", (first: GoValue) => first),
  or: goFunction("func(reflect.Value, ...reflect.Value) reflect.Value", (first: GoValue) => first),
  call: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", call),
  not: goFunction("func(reflect.Value) bool", (value: GoValue) => !isTrue(value)),
  eq: goFunction("func(reflect.Value, ...reflect.Value) (bool, error)", eq),
  ne: goFunction(comparison, ne),
  lt: goFunction(comparison, lt),
  le: goFunction(comparison, le),
  gt: goFunction(comparison, gt),
  ge: goFunction(comparison, ge),
  index: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", index),
  slice: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", slice),
  len: goFunction("func(reflect.Value) (int, error)", length),
  print: goFunction("func(...interface {}) string", (...args: GoValue[]) => sprint(args)),
  println: goFunction("func(...interface {}) string", (...args: GoValue[]) => sprintln(args)),
  printf: goFunction("func(string, ...interface {}) string", (format: string, ...args: GoValue[]) => sprintf(format, args)),
  html: goFunction("func(...interface {}) string", (...args: GoValue[]) => escapeHtml(textOf(args))),
  js: goFunction("func(...interface {}) string", (...args: GoValue[]) => escapeJs(textOf(args))),
  urlquery: goFunction("func(...interface {}) string", (...args: GoValue[]) => escapeQuery(textOf(args))),
};

import { Pointer, goFunction, isTrue, type FunctionTable, type Value } from "../value/index.ts";
import { sprint, sprintln } from "../print/print.ts";
import { sprintf } from "../print/printf.ts";
import { printable } from "../print/printable.ts";
import { call } from "./call.ts";
import { index, length, slice } from "./collection.ts";
import { equal, greater, greaterOrEqual, less, lessOrEqual, notEqual } from "./compare.ts";
import { escapeHtml, escapeJs, escapeQuery } from "./escape.ts";

const comparison = "func(reflect.Value, reflect.Value) (bool, error)";

function textOf(args: readonly Value[]): string {
  const [first] = args;
  if (args.length === 1 && typeof first === "string") return first;
  return sprint(args.map((arg) => (arg === null ? "<no value>" : arg instanceof Pointer ? printable(arg) : arg)));
}

/** Go's own functions. `and`, `or` and `call` are compiled in a manner of their own and are here for their signatures. */
export const builtins: FunctionTable = {
  and: goFunction("func(reflect.Value, ...reflect.Value) reflect.Value", (first: Value) => first),
  or: goFunction("func(reflect.Value, ...reflect.Value) reflect.Value", (first: Value) => first),
  call: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", call),
  not: goFunction("func(reflect.Value) bool", (value: Value) => !isTrue(value)),
  eq: goFunction("func(reflect.Value, ...reflect.Value) (bool, error)", equal),
  ne: goFunction(comparison, notEqual),
  lt: goFunction(comparison, less),
  le: goFunction(comparison, lessOrEqual),
  gt: goFunction(comparison, greater),
  ge: goFunction(comparison, greaterOrEqual),
  index: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", index),
  slice: goFunction("func(reflect.Value, ...reflect.Value) (reflect.Value, error)", slice),
  len: goFunction("func(reflect.Value) (int, error)", length),
  print: goFunction("func(...interface {}) string", (...args: Value[]) => sprint(args)),
  println: goFunction("func(...interface {}) string", (...args: Value[]) => sprintln(args)),
  printf: goFunction("func(string, ...interface {}) string", (format: string, ...args: Value[]) => sprintf(format, args)),
  html: goFunction("func(...interface {}) string", (...args: Value[]) => escapeHtml(textOf(args))),
  js: goFunction("func(...interface {}) string", (...args: Value[]) => escapeJs(textOf(args))),
  urlquery: goFunction("func(...interface {}) string", (...args: Value[]) => escapeQuery(textOf(args))),
};

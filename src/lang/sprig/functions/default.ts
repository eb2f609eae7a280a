import { deepEqual, goFunction, reflectKindOf, typeName, type FunctionTable, type GoValue } from "../../template/index.ts";
import { isEmptyValue } from "../is-empty.ts";
import { panic } from "../panic.ts";

/** Defaults, conditions and types. */
export const defaultFunctions: FunctionTable = {
  default: goFunction("func(interface {}, ...interface {}) interface {}", (fallback: GoValue, given: GoValue) =>
    given === undefined || isEmptyValue(given) ? fallback : given,
  ),
  empty: goFunction("func(interface {}) bool", isEmptyValue),
  coalesce: goFunction(
    "func(...interface {}) interface {}",
    (...values: GoValue[]) => values.find((value) => !isEmptyValue(value)) ?? null,
  ),
  all: goFunction("func(...interface {}) bool", (...values: GoValue[]) => !values.some(isEmptyValue)),
  any: goFunction("func(...interface {}) bool", (...values: GoValue[]) => !values.every(isEmptyValue)),
  ternary: goFunction("func(interface {}, interface {}, bool) interface {}", (yes: GoValue, no: GoValue, condition: boolean) =>
    condition ? yes : no,
  ),
  fail: goFunction("func(string) (string, error)", (message: string) => panic(message)),
  typeOf: goFunction("func(interface {}) string", typeName),
  typeIs: goFunction("func(string, interface {}) bool", (name: string, value: GoValue) => name === typeName(value)),
  typeIsLike: goFunction("func(string, interface {}) bool", (name: string, value: GoValue) => {
    const type = typeName(value);
    return name === type || `*${name}` === type;
  }),
  kindOf: goFunction("func(interface {}) string", reflectKindOf),
  kindIs: goFunction("func(string, interface {}) bool", (kind: string, value: GoValue) => kind === reflectKindOf(value)),
  deepEqual: goFunction("func(interface {}, interface {}) bool", deepEqual),
};

import { deepEqual, goFunction, kindOf, typeName, type FunctionTable, type Value } from "../../template/index.ts";
import { isEmpty } from "../empty.ts";
import { fail } from "../panic.ts";

/** Choosing between values, and asking what they are. */
export const defaultFunctions: FunctionTable = {
  default: goFunction("func(interface {}, ...interface {}) interface {}", (fallback: Value, given: Value) =>
    given === undefined || isEmpty(given) ? fallback : given,
  ),
  empty: goFunction("func(interface {}) bool", isEmpty),
  coalesce: goFunction("func(...interface {}) interface {}", (...values: Value[]) => values.find((value) => !isEmpty(value)) ?? null),
  all: goFunction("func(...interface {}) bool", (...values: Value[]) => !values.some(isEmpty)),
  any: goFunction("func(...interface {}) bool", (...values: Value[]) => !values.every(isEmpty)),
  ternary: goFunction("func(interface {}, interface {}, bool) interface {}", (yes: Value, no: Value, condition: boolean) =>
    condition ? yes : no,
  ),
  fail: goFunction("func(string) (string, error)", (message: string) => fail(message)),
  typeOf: goFunction("func(interface {}) string", typeName),
  typeIs: goFunction("func(string, interface {}) bool", (name: string, value: Value) => name === typeName(value)),
  typeIsLike: goFunction("func(string, interface {}) bool", (name: string, value: Value) => {
    const type = typeName(value);
    return name === type || `*${name}` === type;
  }),
  kindOf: goFunction("func(interface {}) string", kindOf),
  kindIs: goFunction("func(string, interface {}) bool", (kind: string, value: Value) => kind === kindOf(value)),
  deepEqual: goFunction("func(interface {}, interface {}) bool", deepEqual),
};

import { goType, type TypeScope } from "./type-text.ts";
import type { GoType } from "./type.ts";
import type { Value } from "./value.ts";

/**
 * A function that a template can call. Its Go type decides which arguments are let in and what is said about the others,
 * so an implementation can trust its arguments:
 *
 * - `string`, `bool`, `float64` come as JavaScript's; `int` and the like as `Integer`;
 * - `any` takes everything, and nil and the invalid value both come as `null`;
 * - a map, slice or pointer parameter takes a literal `nil` too, as a nil map, list or pointer of that type;
 * - `reflect.Value` takes everything just as it is: `null` is a nil interface, `undefined` the invalid value;
 * - variadic arguments are spread: `func(string, ...any)` is `(text: string, ...rest: Value[])`.
 *
 * To return an error, or to panic, throw a `GoError`. A result of type `any` may be null.
 */
export class GoFunction {
  readonly type: GoType;
  /** Is the running execution handed in before the arguments? */
  readonly takesRun: boolean;
  readonly call: (...parameters: never[]) => Value;

  constructor(type: GoType, call: (...parameters: never[]) => Value, options: { readonly takesRun?: boolean } = {}) {
    this.type = type;
    this.call = call;
    this.takesRun = options.takesRun ?? false;
  }
}

/** Functions by the names under which templates call them. */
export type FunctionTable = Readonly<Record<string, GoFunction>>;

/**
 * Declares a function by its Go signature: `goFunction("func(int, string) string", (width: Integer, text: string) => …)`.
 * Named types in the signature are looked up in `scope`.
 */
export function goFunction(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(goType(signature, scope), call);
}

/** Declares a function that is handed the running execution (a `Run`) before its arguments. */
export function runFunction(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(goType(signature, scope), call, { takesRun: true });
}

/** Declares a method: the implementation takes the receiver before the arguments of the signature. */
export function goMethod(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(goType(signature, scope), call);
}

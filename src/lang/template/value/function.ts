import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/**
 * A function that a template can call. Arguments are checked against its Go type before the call, so an implementation can
 * trust them:
 *
 * - `string`, `bool` and `float64` are JavaScript's; integers are `Integer`;
 * - `any` takes every value, and nil and the invalid value are both `null`;
 * - a map, slice or pointer parameter also takes a literal `nil`, as a nil map, list or pointer of that type;
 * - `reflect.Value` takes every value unchanged: `null` is a nil interface, `undefined` the invalid value;
 * - variadic arguments are spread: `func(string, ...any)` is `(text: string, ...rest: GoValue[])`.
 *
 * To return an error or to panic, throw a `GoError`. A result of type `any` may be null.
 */
export class GoFunction {
  #type: ReflectType | (() => ReflectType);
  /** The function takes the running execution before its arguments. */
  readonly takesExecution: boolean;
  readonly call: (...parameters: never[]) => GoValue;

  /** The type may be lazy, because few of many functions are called. */
  constructor(
    type: ReflectType | (() => ReflectType),
    call: (...parameters: never[]) => GoValue,
    options: { readonly takesRun?: boolean } = {},
  ) {
    this.#type = type;
    this.call = call;
    this.takesExecution = options.takesRun ?? false;
  }

  get type(): ReflectType {
    if (typeof this.#type === "function") this.#type = this.#type();
    return this.#type;
  }
}

/** Functions by the names that templates call. */
export type FunctionTable = Readonly<Record<string, GoFunction>>;

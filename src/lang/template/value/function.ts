import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

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
  #type: ReflectType | (() => ReflectType);
  /** Is the running execution handed in before the arguments? */
  readonly takesExecution: boolean;
  readonly call: (...parameters: never[]) => GoValue;

  /** The type may be a function that reads it, once, when it is asked for: of many functions few are called. */
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

/** Functions by the names under which templates call them. */
export type FunctionTable = Readonly<Record<string, GoFunction>>;

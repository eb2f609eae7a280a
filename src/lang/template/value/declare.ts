import { GoFunction } from "./function.ts";
import { goType, type TypeScope } from "./type-text.ts";
import type { Value } from "./value.ts";

/**
 * Declares a function by its Go signature: `goFunction("func(int, string) string", (width: Integer, text: string) => …)`.
 * Named types in the signature are looked up in `scope`.
 */
export function goFunction(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => goType(signature, scope), call);
}

/** Declares a function that is handed the running execution (a `Run`) before its arguments. */
export function runFunction(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => goType(signature, scope), call, { takesRun: true });
}

/** Declares a method: the implementation takes the receiver before the arguments of the signature. */
export function goMethod(signature: string, call: (...parameters: never[]) => Value, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => goType(signature, scope), call);
}

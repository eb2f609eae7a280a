import { GoFunction } from "./function.ts";
import { reflectType, type TypeScope } from "./parse-type.ts";
import type { GoValue } from "./value.ts";

/**
 * Declares a function by its Go signature: `goFunction("func(int, string) string", (width: Integer, text: string) => …)`. `scope`
 * has the named types of the signature.
 */
export function goFunction(signature: string, call: (...parameters: never[]) => GoValue, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => reflectType(signature, scope), call);
}

/** Declares a function that gets the running Execution before its arguments. */
export function executionFunction(signature: string, call: (...parameters: never[]) => GoValue, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => reflectType(signature, scope), call, { takesRun: true });
}

/** Declares a method. The implementation takes the receiver before the arguments of the signature. */
export function goMethod(signature: string, call: (...parameters: never[]) => GoValue, scope: TypeScope = {}): GoFunction {
  return new GoFunction(() => reflectType(signature, scope), call);
}

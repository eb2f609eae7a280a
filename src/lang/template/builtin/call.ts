import { GoError, GoFunction, typeName, types, type ReflectType, type GoValue } from "../value/index.ts";
import { preparedFor } from "./collection.ts";

/** Why a template cannot call a function of this type; undefined if it can. Models goodFunc. */
export function objectionToSignature(name: string, type: ReflectType): string | undefined {
  const results = type.results ?? [];
  const [, second] = results;
  if (results.length === 1 || second === types.error) return undefined;
  if (results.length === 2) {
    return `invalid function signature for ${name}: second return value should be error; is ${second?.name ?? ""}`;
  }
  return `function ${name} has ${results.length} return values; should be 1 or 2`;
}

/** `call`: calls a function value. `name` is how the template refers to it. */
export function call(name: string, callee: GoValue, ...args: GoValue[]): GoValue {
  if (callee === null || callee === undefined) throw new GoError("call of nil");
  if (!(callee instanceof GoFunction)) throw new GoError(`non-function ${name} of type ${typeName(callee)}`);
  const objection = objectionToSignature(name, callee.type);
  if (objection !== undefined) throw new GoError(objection);
  const { parameters = [], variadic } = callee.type;
  const fixed = variadic ? parameters.length - 1 : parameters.length;
  if (variadic ? args.length < fixed : args.length !== fixed) {
    throw new GoError(`wrong number of args for ${name}: got ${args.length} want ${variadic ? "at least " : ""}${fixed}`);
  }
  const ready = args.map((arg, index) => argument(parameters[Math.min(index, parameters.length - 1)] ?? types.any, arg, index));
  return Reflect.apply(callee.call, undefined, ready);
}

function argument(type: ReflectType, value: GoValue, index: number): GoValue {
  try {
    return preparedFor(type, value);
  } catch (error) {
    if (error instanceof GoError) throw new GoError(`arg ${index}: ${error.message}`, { cause: error });
    throw error;
  }
}

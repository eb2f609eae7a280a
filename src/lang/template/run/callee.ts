import type { FunctionTable, GoFunction, ReflectType } from "../value/index.ts";
import { objectionToSignature } from "../builtin/call.ts";
import type { Operand } from "../parse/node.ts";
import type { Literal } from "./argument.ts";

/** The functions that a template can call: those of the caller and Go's builtins. */
export type Callables = {
  readonly functions: FunctionTable;
  readonly builtins: FunctionTable;
};

/** The caller's function of a name; undefined if there is none. */
export function givenFunction({ functions }: Callables, name: string): GoFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/** Why a function cannot be called with `args` arguments, the piped one excluded; undefined if it can. Models state.evalCall. */
export function objectionToCall(name: string, type: ReflectType, args: number, hasFinal: boolean): string | undefined {
  const { parameters = [], variadic } = type;
  const all = args + (hasFinal ? 1 : 0);
  if (variadic && all < parameters.length - 1) {
    return `wrong number of args for ${name}: want at least ${parameters.length - 1} got ${args}`;
  }
  if (!variadic && all !== parameters.length) return `wrong number of args for ${name}: want ${parameters.length} got ${all}`;
  return objectionToSignature(name, type);
}

/** Whether an operand is a literal. */
export function isLiteral(node: Operand): node is Literal {
  return node.type === "bool" || node.type === "nil" || node.type === "number" || node.type === "string";
}

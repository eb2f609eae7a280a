import type { FunctionTable, GoFunction, ReflectType } from "../value/index.ts";
import { objectionToSignature } from "../builtin/call.ts";
import type { Operand } from "../parse/node.ts";
import type { Literal } from "./argument.ts";

/** What a template can call, and which of it is Go's own. */
export type Callables = {
  readonly functions: FunctionTable;
  readonly builtins: FunctionTable;
};

/** The function of that name that was handed in; nothing if there is none, or only one of Go's own. */
export function givenFunction({ functions }: Callables, name: string): GoFunction | undefined {
  return Object.hasOwn(functions, name) ? functions[name] : undefined;
}

/** Why a function cannot be called with so many arguments, the piped one aside; nothing if it can. Models state.evalCall. */
export function objectionToCall(name: string, type: ReflectType, args: number, hasFinal: boolean): string | undefined {
  const { parameters = [], variadic } = type;
  const all = args + (hasFinal ? 1 : 0);
  if (variadic && all < parameters.length - 1) {
    return `wrong number of args for ${name}: want at least ${parameters.length - 1} got ${args}`;
  }
  if (!variadic && all !== parameters.length) return `wrong number of args for ${name}: want ${parameters.length} got ${all}`;
  return objectionToSignature(name, type);
}

/** Is it written down what the operand is? */
export function isLiteral(node: Operand): node is Literal {
  return node.type === "bool" || node.type === "nil" || node.type === "number" || node.type === "string";
}

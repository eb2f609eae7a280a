import { Engine, type FunctionTable } from "../../../src/lang/template/index.ts";

/** The two ways of executing a template, which have to agree: one engine compiles all of them, the other hardly any. */
export function enginesFor(functions: FunctionTable): readonly Engine[] {
  return [new Engine(functions, { compileAfter: 0 }), new Engine(functions, { compileAfter: 100 })];
}

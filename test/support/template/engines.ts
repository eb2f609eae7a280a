import { Engine, type FunctionTable } from "../../../src/lang/template/index.ts";

/** Two engines, one per executor: the first compiles every template, the second interprets nearly all. */
export function enginesFor(functions: FunctionTable): readonly Engine[] {
  return [new Engine(functions, { compileAfter: 0 }), new Engine(functions, { compileAfter: 100 })];
}

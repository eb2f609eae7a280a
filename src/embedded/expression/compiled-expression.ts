import type { CelProgram } from "../../lang/cel/index.ts";
import { compileExpression, ExpressionError, type EnvironmentOptions } from "./compile-expression.ts";

/** An expression with its program, or why it has none. */
export type CompiledExpression = { readonly source: string } & ({ readonly program: CelProgram } | { readonly error: string });

/** Compiles an expression that is stored. `results` are the types that it may have; empty for any. */
export function compiledAs(source: string, results: readonly string[], options: EnvironmentOptions): CompiledExpression {
  try {
    return { source, program: compileExpression(source, results, options) };
  } catch (error) {
    if (error instanceof ExpressionError) return { source, error: error.message };
    throw error;
  }
}

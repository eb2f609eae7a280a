import type { CelProgram } from "../../lang/cel/index.ts";
import { fieldInvalid, type FieldError } from "../field-error.ts";
import { compileExpression, ExpressionError, type EnvironmentOptions } from "./compile-expression.ts";

/** What is wrong with an expression in the field of an object. */
export function compileErrors(
  source: string,
  results: readonly string[],
  options: EnvironmentOptions,
  path: string,
): readonly FieldError[] {
  const compiled = compiledOrErrors(source, results, options, path);
  return "errors" in compiled ? compiled.errors : [];
}

/** The program of an expression, or what is wrong with it. `shown` is how the error repeats it. */
export function compiledOrErrors(
  source: string,
  results: readonly string[],
  options: EnvironmentOptions,
  path: string,
  shown = source,
): { readonly program: CelProgram } | { readonly errors: readonly FieldError[] } {
  try {
    return { program: compileExpression(source, results, options) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    const internal: FieldError = { field: path, reason: "InternalError", message: `Internal error: ${error.message}` };
    return { errors: [error.isInternal ? internal : fieldInvalid(path, shown, error.message)] };
  }
}

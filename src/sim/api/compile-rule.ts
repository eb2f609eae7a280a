import { CelProgramError, CelSyntaxError, CelTypeError, compile, type Program } from "../../cel/index.ts";
import type { CompileOptions, CompileRule, Schema } from "../schema/index.ts";

/**
 * Compiles the expressions of `x-kubernetes-validations`.
 *
 * Models apiextensions pkg/apiserver/schema/cel/compilation.go compileRule
 */
export const compileRule: CompileRule = (rule, schema, options) => {
  const program = compiled(rule, schema, options);
  const isRule = options.purpose === "rule";
  if (program.type !== (isRule ? "bool" : "string")) {
    throw new Error(isRule ? "cel expression must evaluate to a bool" : "messageExpression must evaluate to a string");
  }
  return ({ self, oldSelf }) => program.evaluate({ self, oldSelf });
};

function compiled(rule: string, schema: Schema, { purpose, isRoot, optionalOldSelf }: CompileOptions): Program {
  const self = { schema, isResource: isRoot };
  const prefix = purpose === "rule" ? "" : "messageExpression ";
  try {
    return compile(rule, { variables: { self, oldSelf: { ...self, isOptional: optionalOldSelf } } });
  } catch (cause) {
    if (cause instanceof CelProgramError) {
      throw new Error(`${purpose === "rule" ? "program" : "messageExpression"} instantiation failed: ${cause.message}`, { cause });
    }
    if (!(cause instanceof CelSyntaxError || cause instanceof CelTypeError)) throw cause;
    throw new Error(`${prefix}compilation failed: ${cause.message}`, { cause });
  }
}

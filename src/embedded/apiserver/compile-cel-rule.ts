import { CelProgramError, compileCel, estimateCelCost, type CelProgram, type VariableDeclaration } from "../../lang/cel/index.ts";
import type { RuleCompileOptions, CompileCelRule, JsonSchemaProps } from "../schema/index.ts";

/**
 * Compiles the expressions of `x-kubernetes-validations`. An error in a rule is prefixed as the API server does; an
 * error in a message expression is not, since the caller adds the prefix.
 *
 * Models apiextensions pkg/apiserver/schema/cel/compilation.go compileRule
 */
export const compileCelRule: CompileCelRule = (rule, schema, options) => {
  const isRule = options.purpose === "rule";
  const program = programFor(rule, schema, options);
  if (program.type !== (isRule ? "bool" : "string")) {
    throw new Error(isRule ? "cel expression must evaluate to a bool" : "messageExpression must evaluate to a string");
  }
  return {
    run: ({ self, oldSelf }) => program.run({ self, oldSelf }),
    estimate: () => estimateCelCost(rule, { schema, isResource: options.isRoot }, { variables: variablesFor(schema, options) }),
  };
};

function variablesFor(
  schema: JsonSchemaProps,
  { isRoot, optionalOldSelf }: RuleCompileOptions,
): Record<"self" | "oldSelf", VariableDeclaration> {
  const self = { schema, isResource: isRoot };
  return { self, oldSelf: { ...self, isOptional: optionalOldSelf } };
}

function programFor(rule: string, schema: JsonSchemaProps, options: RuleCompileOptions): CelProgram {
  try {
    return compileCel(rule, { variables: variablesFor(schema, options) });
  } catch (cause) {
    if (options.purpose === "messageExpression" || !(cause instanceof Error)) throw cause;
    const what = cause instanceof CelProgramError ? "program instantiation failed" : "compilation failed";
    throw new Error(`${what}: ${cause.message}`, { cause });
  }
}

import { followFieldPath } from "./field-path.ts";
import type { JsonSchemaProps, ValidationRule } from "./json-schema-props.ts";

/** The options of compiling an expression. */
export type RuleCompileOptions = {
  /** A rule must return a bool, a message expression a string. */
  readonly purpose: "rule" | "messageExpression";
  /** The schema is that of a whole resource (or an embedded one): `self` has apiVersion, kind, metadata.name and metadata.generateName too. */
  readonly isRoot: boolean;
  /** `oldSelf` is an optional value, and empty when there is none. */
  readonly optionalOldSelf: boolean;
};

export type RuleBindings = { readonly self: unknown; readonly oldSelf?: unknown; readonly schema: JsonSchemaProps };

/** The value of an expression, or the message of its failure, and what the evaluation cost. */
export type RuleRun = { readonly cost: number } & ({ readonly value: unknown } | { readonly error: string });

/** A compiled expression. */
export type RuleProgram = {
  readonly run: (bindings: RuleBindings) => RuleRun;
  /** The most that an evaluation costs, and how many values like `self` one request can hold, both by the schema. */
  readonly estimate: () => { readonly maxCost: number; readonly maxCardinality: number };
};

/**
 * Compiles an expression over `self` and `oldSelf`. Throws when it does not compile. Its message and those of failures are
 * printed unchanged.
 */
export type CompileCelRule = (rule: string, schema: JsonSchemaProps, options: RuleCompileOptions) => RuleProgram;

export type CompiledValidationRule = {
  readonly rule: ValidationRule;
  readonly usesOldSelf: boolean;
  /** The rule's `fieldPath`, as the error path appends it. */
  readonly fieldPath: string;
  readonly program: RuleProgram;
  readonly message: RuleProgram | undefined;
};

/** Compiles a rule; returns the error when it does not compile. */
export function compileValidationRule(
  rule: ValidationRule,
  schema: JsonSchemaProps,
  isRoot: boolean,
  compile: CompileCelRule,
): CompiledValidationRule | Error {
  try {
    const optionalOldSelf = rule.optionalOldSelf === true;
    const program = compile(rule.rule, schema, { purpose: "rule", isRoot, optionalOldSelf });
    return {
      rule,
      usesOldSelf: usesOldSelf(rule.rule),
      fieldPath: fieldPathOf(rule, schema),
      program,
      message: messageOf(rule, schema, isRoot, compile),
    };
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

/** A message expression that does not compile is ignored: the rule's own message is used. */
function messageOf(rule: ValidationRule, schema: JsonSchemaProps, isRoot: boolean, compile: CompileCelRule): RuleProgram | undefined {
  if (rule.messageExpression === undefined || rule.messageExpression === "") return undefined;
  try {
    return compile(rule.messageExpression, schema, {
      purpose: "messageExpression",
      isRoot,
      optionalOldSelf: rule.optionalOldSelf === true,
    });
  } catch {
    return undefined;
  }
}

function fieldPathOf({ fieldPath = "" }: ValidationRule, schema: JsonSchemaProps): string {
  const found = fieldPath === "" ? "" : followFieldPath(fieldPath, schema);
  return typeof found === "string" ? "" : found.path;
}

/** Whether an expression uses `oldSelf` outside of strings, which makes it a transition rule. */
export function usesOldSelf(expression: string): boolean {
  const withoutStrings = expression.replaceAll(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '""');
  return /(?<![\w.])oldSelf\b/.test(withoutStrings);
}

import { fieldInvalid, fieldNotSupported, fieldRequired, type FieldError } from "../field-error.ts";
import {
  childPath,
  compileValidationRule,
  followFieldPath,
  itemPath,
  usesOldSelf,
  type CompileCelRule,
  type JsonSchemaProps,
  type RuleProgram,
  type ValidationRule,
} from "../schema/index.ts";
import { costErrors, type RuleCosts } from "./rule-costs.ts";
import type { SchemaNodeContext } from "./schema-node.ts";

const reasons: readonly string[] = ["FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"];

/** Validates the form of a node's rules. Models apiextensions pkg/apis/apiextensions/validation/validation.go */
export function checkRuleForms(schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const rules = schema["x-kubernetes-validations"] ?? [];
  return rules.flatMap((rule, index) => checkForm(rule, schema, itemPath(childPath(path, "x-kubernetes-validations"), index)));
}

function checkForm(rule: ValidationRule, schema: JsonSchemaProps, path: string): readonly FieldError[] {
  const at = (name: string) => childPath(path, name);
  return [...checkText(rule, at), ...checkReason(rule, at), ...checkFieldPath(rule, schema, at("fieldPath"))];
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text);
}

function checkText(rule: ValidationRule, at: (name: string) => string): readonly FieldError[] {
  const { message = "", messageExpression = "" } = rule;
  const found: FieldError[] = [];
  if (rule.rule.trim() === "") found.push(fieldRequired(at("rule"), "rule is not specified"));
  else if (message !== "" && message.trim() === "") found.push(fieldInvalid(at("message"), message, "must be non-empty if specified"));
  else if (hasLineBreak(message.trim())) found.push(fieldInvalid(at("message"), message, "must not contain line breaks"));
  else if (hasLineBreak(rule.rule.trim()) && message.trim() === "") {
    found.push(fieldRequired(at("message"), "message must be specified if rule contains line breaks"));
  }
  if (messageExpression !== "" && messageExpression.trim() === "") {
    found.push(fieldRequired(at("messageExpression"), "messageExpression must be non-empty if specified"));
  }
  return found;
}

function checkReason({ reason }: ValidationRule, at: (name: string) => string): readonly FieldError[] {
  return reason === undefined || reasons.includes(reason) ? [] : [fieldNotSupported(at("reason"), reason, reasons)];
}

function checkFieldPath({ fieldPath = "" }: ValidationRule, schema: JsonSchemaProps, at: string): readonly FieldError[] {
  if (fieldPath === "") return [];
  const found: FieldError[] = [];
  if (fieldPath.trim() === "") found.push(fieldInvalid(at, fieldPath, "must be non-empty if specified"));
  if (hasLineBreak(fieldPath)) found.push(fieldInvalid(at, fieldPath, "must not contain line breaks"));
  if (typeof followFieldPath(fieldPath, schema) === "string") found.push(fieldInvalid(at, fieldPath, "must be a valid path"));
  return found;
}

/** The node of a schema whose rules are compiled. */
export type RuleNodeContext = SchemaNodeContext & {
  readonly isRoot: boolean;
  /** How many values of this node an object can have; undefined when no list or map around it is bounded. */
  readonly cardinality: number | undefined;
};

export type RuleCheck = {
  readonly compile: CompileCelRule;
  readonly costs: RuleCosts;
  /** A schema that was accepted before keeps the rules that cost too much. */
  readonly mayBeExpensive: boolean;
};

/** Compiles a node's rules, and reports those that do not compile, may cost too much or use oldSelf where it is unknown. */
export function checkRulesCompile(
  schema: JsonSchemaProps,
  path: string,
  context: RuleNodeContext,
  check: RuleCheck,
): readonly FieldError[] {
  const isRoot = context.isRoot || schema["x-kubernetes-embedded-resource"] === true;
  return (schema["x-kubernetes-validations"] ?? []).flatMap((rule, index) => {
    const at = (name: string) => childPath(itemPath(childPath(path, "x-kubernetes-validations"), index), name);
    return [...checkExpressions(rule, schema, { ...context, isRoot }, check, at), ...checkOldSelf(rule, context, at)];
  });
}

function checkExpressions(
  rule: ValidationRule,
  schema: JsonSchemaProps,
  { isRoot, cardinality }: RuleNodeContext,
  check: RuleCheck,
  at: (name: string) => string,
): readonly FieldError[] {
  const { messageExpression: expression = "", ...withoutExpression } = rule;
  const compiled = compileValidationRule(withoutExpression, schema, isRoot, check.compile);
  if (compiled instanceof Error) return [fieldInvalid(at("rule"), internal(rule), sentence("compilation failed", compiled))];
  const { maxCost, maxCardinality } = compiled.program.estimate();
  const found = checkCost("estimated rule cost", at("rule"), maxCost * (cardinality ?? maxCardinality), check);
  if (expression === "") return found;
  const message = compileMessage(rule, schema, isRoot, check.compile);
  const path = at("messageExpression");
  if (message instanceof Error) {
    return [...found, fieldInvalid(path, internal(rule), sentence("messageExpression compilation failed", message))];
  }
  return [...found, ...checkCost("estimated messageExpression cost", path, message.estimate().maxCost, check)];
}

function checkCost(what: string, path: string, cost: number, { costs, mayBeExpensive }: RuleCheck): readonly FieldError[] {
  costs.add(path, cost);
  return mayBeExpensive ? [] : costErrors(what, path, cost);
}

function compileMessage(rule: ValidationRule, schema: JsonSchemaProps, isRoot: boolean, compile: CompileCelRule): RuleProgram | Error {
  try {
    const options = { purpose: "messageExpression", isRoot, optionalOldSelf: rule.optionalOldSelf === true } as const;
    return compile(rule.messageExpression ?? "", schema, options);
  } catch (cause) {
    return cause instanceof Error ? cause : new Error(String(cause));
  }
}

/** Errors with a complete message are not prefixed. */
const bare = /^(compilation failed|cel expression|program instantiation failed|messageExpression must)/;

function sentence(what: string, { message }: Error): string {
  return bare.test(message) ? message : `${what}: ${message}`;
}

function checkOldSelf(rule: ValidationRule, { uncorrelatable }: SchemaNodeContext, at: (name: string) => string): readonly FieldError[] {
  if (!usesOldSelf(rule.rule)) {
    if (rule.optionalOldSelf === undefined) return [];
    return [fieldInvalid(at("optionalOldSelf"), rule.optionalOldSelf, "may not be set if oldSelf is not used in rule")];
  }
  if (uncorrelatable === undefined) return [];
  return [
    fieldInvalid(at("rule"), rule.rule, `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelatable}`),
  ];
}

/** A rule as the server prints it: by the field names of its internal type. */
function internal({ rule, message = "", messageExpression = "", reason, fieldPath = "", optionalOldSelf }: ValidationRule): unknown {
  return {
    Rule: rule,
    Message: message,
    MessageExpression: messageExpression,
    Reason: reason ?? null,
    FieldPath: fieldPath,
    OptionalOldSelf: optionalOldSelf ?? null,
  };
}

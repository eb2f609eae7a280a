import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import type { CompiledValidationRule, RuleBindings } from "./compiled-validation-rule.ts";
import { printedPath } from "./error-path.ts";
import type { ValidationRule } from "./json-schema-props.ts";
import type { RuleBudget } from "./rule-budget.ts";

/** `failed` means that the rule is false; otherwise its evaluation failed. */
type RuleOutcome = { readonly failed: boolean; readonly error: FieldError };

const longestMessage = 5 * 1024;

export const outOfBudget = "validation failed due to running out of cost budget, no further validation rules will be run";

/** Undefined when the rule holds. An evaluation that costs too much ends the budget. Models apiextensions pkg/apiserver/schema/cel/validation.go validateExpressions */
export function evaluateValidationRule(
  compiled: CompiledValidationRule,
  bindings: RuleBindings,
  path: string,
  budget: RuleBudget,
): RuleOutcome | undefined {
  const { rule, program, fieldPath } = compiled;
  const type = bindings.schema.type ?? "";
  const run = program.run(bindings);
  if (!budget.take(run.cost)) return { failed: false, error: fieldInvalid(printedPath(path), type, outOfBudget) };
  if ("error" in run) {
    if (isOverLimit(run.error)) budget.end();
    return { failed: false, error: fieldInvalid(printedPath(path), type, sentenceFor(run.error, rule)) };
  }
  if (run.value === true) return undefined;
  const at = printedPath(fieldPath === "" ? path : path === "" ? fieldPath : `${path}.${fieldPath}`);
  const detail = messageFrom(compiled, bindings, budget) ?? ownMessage(rule);
  return { failed: true, error: budget.isOver ? fieldInvalid(at, type, detail) : errorFor(rule, at, bindings, detail) };
}

/** Whether one evaluation cost more than a single one may. */
function isOverLimit(error: string): boolean {
  return error.startsWith("operation cancelled: actual cost limit exceeded");
}

function sentenceFor(what: string, rule: ValidationRule): string {
  if (isOverLimit(what)) {
    return `'${what}': no further validation rules will be run due to call cost exceeds limit for rule: ${nameOf(rule)}`;
  }
  if (!what.startsWith("no such overload")) return `${what} evaluating rule: ${nameOf(rule)}`;
  return `'${what}': call arguments did not match a supported operator, function or macro signature for rule: ${nameOf(rule)}`;
}

/** The name of a rule in messages: its message if it has one. */
function nameOf({ rule, message = "" }: ValidationRule): string {
  return message === "" ? rule.trim() : message.trim();
}

function ownMessage(rule: ValidationRule): string {
  const { message = "" } = rule;
  return message === "" ? `failed rule: ${nameOf(rule)}` : message.trim();
}

/** The result of the message expression, if it is one line of text, or why it ended the budget. */
function messageFrom({ rule, message }: CompiledValidationRule, bindings: RuleBindings, budget: RuleBudget): string | undefined {
  const run = message?.run(bindings);
  if (run !== undefined && !budget.take(run.cost)) {
    return "messageExpression evaluation failed due to running out of cost budget, no further validation rules will be run";
  }
  if (run !== undefined && "error" in run && isOverLimit(run.error)) {
    budget.end();
    const source = JSON.stringify(rule.messageExpression);
    return `no further validation rules will be run due to call cost exceeds limit for messageExpression: ${source}`;
  }
  // As the API server does: a failing message expression is replaced by the rule's message.
  if (run === undefined || "error" in run || typeof run.value !== "string") return undefined;
  const trimmed = run.value.trim();
  const isUsable = trimmed !== "" && !trimmed.includes("\n") && new TextEncoder().encode(trimmed).length <= longestMessage;
  return isUsable ? trimmed : undefined;
}

function errorFor(rule: ValidationRule, field: string, { self, schema }: RuleBindings, detail: string): FieldError {
  // Objects and lists are not printed: they may be large.
  const isLarge = schema.type === "object" || schema.type === "array";
  switch (rule.reason) {
    case "FieldValueForbidden":
      return fieldForbidden(field, detail);
    case "FieldValueRequired":
      return fieldRequired(field, detail);
    case "FieldValueDuplicate":
      return isLarge ? { field, reason: "FieldValueDuplicate", message: "Duplicate value" } : fieldDuplicate(field, self);
    default:
      return isLarge ? { field, reason: "FieldValueInvalid", message: `Invalid value: ${detail}` } : fieldInvalid(field, self, detail);
  }
}

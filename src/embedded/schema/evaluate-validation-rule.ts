import { fieldDuplicate, fieldForbidden, fieldInvalid, fieldRequired, type FieldError } from "../field-error.ts";
import type { CompiledValidationRule, RuleBindings } from "./compiled-validation-rule.ts";
import { printedPath } from "./error-path.ts";
import type { ValidationRule } from "./json-schema-props.ts";

/** `failed` means that the rule is false; otherwise its evaluation failed. */
type RuleOutcome = { readonly failed: boolean; readonly error: FieldError };

const longestMessage = 5 * 1024;

/** Undefined when the rule holds. Models apiextensions pkg/apiserver/schema/cel/validation.go validateExpressions */
export function evaluateValidationRule(compiled: CompiledValidationRule, bindings: RuleBindings, path: string): RuleOutcome | undefined {
  const { rule, evaluate, fieldPath } = compiled;
  try {
    if (evaluate(bindings) === true) return undefined;
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    return { failed: false, error: fieldInvalid(printedPath(path), bindings.schema.type ?? "", sentenceFor(what, rule)) };
  }
  const at = fieldPath === "" ? path : path === "" ? fieldPath : `${path}.${fieldPath}`;
  const detail = messageFrom(compiled, bindings) ?? ownMessage(rule);
  return { failed: true, error: errorFor(rule, printedPath(at), bindings, detail) };
}

function sentenceFor(what: string, rule: ValidationRule): string {
  if (what.startsWith("operation cancelled: actual cost limit exceeded")) {
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

/** The result of the message expression, if it is one line of text. */
function messageFrom({ message }: CompiledValidationRule, bindings: RuleBindings): string | undefined {
  if (message === undefined) return undefined;
  try {
    const text = message(bindings);
    if (typeof text !== "string") return undefined;
    const trimmed = text.trim();
    const isUsable = trimmed !== "" && !trimmed.includes("\n") && new TextEncoder().encode(trimmed).length <= longestMessage;
    return isUsable ? trimmed : undefined;
  } catch {
    // As the API server does: a failing message expression is replaced by the rule's message.
    return undefined;
  }
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

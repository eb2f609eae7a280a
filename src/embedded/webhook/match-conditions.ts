import { listAt, stringAt, type Fields } from "../../core/object/index.ts";
import type { CelProgram } from "../../lang/cel/index.ts";
import { aggregateMessages, compileMatchCondition } from "../builtin/index.ts";

/** What the expressions of match conditions see. */
type MatchVariables = { readonly object: unknown; readonly oldObject: unknown; readonly request: unknown };

type Compiled = { readonly expression: string; readonly program?: CelProgram; readonly error?: string };

const compiled = new WeakMap<Fields, Compiled>();

/**
 * Whether all match conditions of a webhook are true. An error counts only where no condition is false: it is returned for the
 * failure policy to decide. Models apiserver pkg/admission/plugin/webhook/matchconditions/matcher.go
 */
export function matchConditionsOf(webhook: Fields, variables: () => MatchVariables): boolean | { readonly error: string } {
  const conditions = listAt(webhook, "matchConditions");
  if (conditions.length === 0) return true;
  const bindings = variables();
  const errors: string[] = [];
  for (const condition of conditions) {
    const value = evaluated(condition, bindings);
    if (value === false) return false;
    if (typeof value === "string") errors.push(value);
  }
  return errors.length === 0 ? true : { error: aggregateMessages(errors) };
}

/** The value of a condition, or what is wrong with it. */
function evaluated(condition: Fields, bindings: MatchVariables): boolean | string {
  const { expression, program, error } = compiledFor(condition);
  if (program === undefined) return `compilation error: ${error}`;
  try {
    return program.evaluate(bindings) === true;
  } catch (cause) {
    return `expression '${expression}' resulted in error: ${messageOf(cause)}`;
  }
}

function compiledFor(condition: Fields): Compiled {
  const known = compiled.get(condition) ?? compile(stringAt(condition, "expression", ""));
  compiled.set(condition, known);
  return known;
}

function compile(expression: string): Compiled {
  try {
    return { expression, program: compileMatchCondition(expression) };
  } catch (cause) {
    return { expression, error: messageOf(cause) };
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

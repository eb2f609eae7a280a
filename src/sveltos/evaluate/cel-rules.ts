import type { ResourceSelector } from "../api/index.ts";
import { CelEvaluationError, compileCel, type CelProgram } from "../../lang/cel/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { MatchResult } from "./evaluation-result.ts";

type CelRule = ResourceSelector["evaluateCEL"][number];

/** Evaluates the rules in order; the first one that is true decides. */
type CelMatcher = (object: KubeObject) => MatchResult;

/** A compiled rule, or why it cannot be compiled. */
type CompiledRule = { readonly name: string; readonly program: CelProgram } | { readonly name: string; readonly broken: string };

/**
 * Compiles the rules of a selector. An object matches if any rule is true. A rule whose evaluation fails (no such key)
 * counts as false. If a rule does not compile or gives no boolean, and no other rule is true, the evaluation has failed.
 */
export function compileCelRules(rules: readonly CelRule[]): CelMatcher {
  const compiled = rules.map(compileRule);
  return (object) => matchRules(compiled, object);
}

/** The compile errors of rules. */
export function brokenRules(rules: readonly CelRule[]): readonly string[] {
  return rules.map(compileRule).flatMap((rule) => ("broken" in rule ? [`CEL rule ${rule.name}: ${rule.broken}`] : []));
}

function compileRule({ name, rule }: CelRule): CompiledRule {
  try {
    const program = compileCel(rule, { variables: { resource: "dyn" } });
    if (program.type !== "bool" && program.type !== "dyn")
      return { name, broken: `gives ${program.type}; expected a rule that gives true or false` };
    return { name, program };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { name, broken: celErrorText(error.message) };
  }
}

/** Each error with its place, in one line: `1:24: Syntax error: …`. The lines that point at the place are left out. */
function celErrorText(message: string): string {
  const errors = [...message.matchAll(/^ERROR: <input>:(\d+:\d+: .*)$/gm)].map(([, text]) => text);
  return errors.length === 0 ? message : errors.join("; ");
}

function matchRules(compiled: readonly CompiledRule[], object: KubeObject): MatchResult {
  const failures: string[] = [];
  const ruleErrors: string[] = [];
  for (const rule of compiled) {
    const outcome = evaluateRule(rule, object);
    if (outcome === true) return { state: "matching", message: "" };
    if (outcome !== false) (outcome.isInvalidRule ? failures : ruleErrors).push(`CEL rule ${rule.name}: ${outcome.because}`);
  }
  if (failures.length > 0) return { state: "failed", because: failures.join("; ") };
  if (ruleErrors.length === 0) return { state: "different", because: noRuleMatches(compiled), message: "" };
  const ruleErrorText = ruleErrors.join("; ");
  return { state: "different", because: ruleErrorText, message: "", ruleErrors: ruleErrorText };
}

type RuleError = { readonly because: string; readonly isInvalidRule: boolean };

function evaluateRule(rule: CompiledRule, object: KubeObject): boolean | RuleError {
  if ("broken" in rule) return { because: rule.broken, isInvalidRule: true };
  try {
    const outcome = rule.program.evaluate({ resource: object });
    if (typeof outcome === "boolean") return outcome;
    return { because: `gives ${JSON.stringify(outcome)}; expected true or false`, isInvalidRule: true };
  } catch (error) {
    if (!(error instanceof CelEvaluationError)) throw error;
    return { because: error.message, isInvalidRule: false };
  }
}

function noRuleMatches(rules: readonly CompiledRule[]): string {
  const names = rules.map(({ name }) => name).join(", ");
  return rules.length === 1 ? `CEL rule ${names} is false` : `CEL rules ${names} are all false`;
}

import type { ResourceSelector } from "../api/index.ts";
import { CelEvaluationError, compileCel, type CelProgram } from "../../lang/cel/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { MatchResult } from "./evaluation-result.ts";

type CelRule = ResourceSelector["evaluateCEL"][number];

/** Asks the rules in turn: the first that says yes decides. */
export type CelMatcher = (object: KubeObject) => MatchResult;

/** A rule as it can be asked, or what is wrong with it. */
type CompiledRule = { readonly name: string; readonly program: CelProgram } | { readonly name: string; readonly broken: string };

/**
 * Prepares the rules of a selector: any of them may say yes. A rule that fails on an object (a key that is not there) says
 * no to it. One that can never be asked, or gives no boolean, judges nothing: unless another says yes, the object has failed.
 */
export function compileCelRules(rules: readonly CelRule[]): CelMatcher {
  const compiled = rules.map(compileRule);
  return (object) => matchRules(compiled, object);
}

/** What is wrong with rules that can never be asked. */
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
    return { name, broken: error.message };
  }
}

function matchRules(compiled: readonly CompiledRule[], object: KubeObject): MatchResult {
  const failures: string[] = [];
  const ruleErrors: string[] = [];
  for (const rule of compiled) {
    const answer = evaluateRule(rule, object);
    if (answer === true) return { state: "matching", message: "" };
    if (answer !== false) (answer.isRuleWrong ? failures : ruleErrors).push(`CEL rule ${rule.name}: ${answer.because}`);
  }
  if (failures.length > 0) return { state: "failed", because: failures.join("; ") };
  if (ruleErrors.length === 0) return { state: "different", because: noRuleMatches(compiled), message: "" };
  const ruleErrorText = ruleErrors.join("; ");
  return { state: "different", because: ruleErrorText, message: "", ruleErrors: ruleErrorText };
}

type RuleError = { readonly because: string; readonly isRuleWrong: boolean };

function evaluateRule(rule: CompiledRule, object: KubeObject): boolean | RuleError {
  if ("broken" in rule) return { because: rule.broken, isRuleWrong: true };
  try {
    const answer = rule.program.evaluate({ resource: object });
    if (typeof answer === "boolean") return answer;
    return { because: `gives ${JSON.stringify(answer)}; expected true or false`, isRuleWrong: true };
  } catch (error) {
    if (!(error instanceof CelEvaluationError)) throw error;
    return { because: error.message, isRuleWrong: false };
  }
}

function noRuleMatches(rules: readonly CompiledRule[]): string {
  const names = rules.map(({ name }) => name).join(", ");
  return rules.length === 1 ? `CEL rule ${names} is false` : `CEL rules ${names} are all false`;
}

import type { ResourceSelector } from "../api/index.ts";
import { CelEvaluationError, compile, type Program } from "../../lang/cel/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import type { Verdict } from "./verdict.ts";

type CelRule = ResourceSelector["evaluateCEL"][number];

/** Asks the rules in turn: the first that says yes decides. */
export type CelJudge = (object: KubeObject) => Verdict;

/** A rule as it can be asked, or what is wrong with it. */
type Prepared = { readonly name: string; readonly program: Program } | { readonly name: string; readonly broken: string };

/**
 * Prepares the rules of a selector: any of them may say yes. A rule that fails on an object (a key that is not there) says
 * no to it. One that can never be asked, or gives no boolean, judges nothing: unless another says yes, the object has failed.
 */
export function celJudge(rules: readonly CelRule[]): CelJudge {
  const prepared = rules.map(prepare);
  return (object) => judge(prepared, object);
}

/** What is wrong with rules that can never be asked. */
export function brokenRules(rules: readonly CelRule[]): readonly string[] {
  return rules.map(prepare).flatMap((rule) => ("broken" in rule ? [`CEL rule ${rule.name}: ${rule.broken}`] : []));
}

function prepare({ name, rule }: CelRule): Prepared {
  try {
    const program = compile(rule, { variables: { resource: "dyn" } });
    if (program.type !== "bool" && program.type !== "dyn")
      return { name, broken: `gives ${program.type}; expected a rule that gives true or false` };
    return { name, program };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { name, broken: error.message };
  }
}

function judge(prepared: readonly Prepared[], object: KubeObject): Verdict {
  const failures: string[] = [];
  const complaints: string[] = [];
  for (const rule of prepared) {
    const answer = ask(rule, object);
    if (answer === true) return { state: "matching", message: "" };
    if (answer !== false) (answer.isRuleWrong ? failures : complaints).push(`CEL rule ${rule.name}: ${answer.because}`);
  }
  if (failures.length > 0) return { state: "failed", because: failures.join("; ") };
  if (complaints.length === 0) return { state: "different", because: nobodySaysYes(prepared), message: "" };
  const complaint = complaints.join("; ");
  return { state: "different", because: complaint, message: "", complaint };
}

type Trouble = { readonly because: string; readonly isRuleWrong: boolean };

function ask(rule: Prepared, object: KubeObject): boolean | Trouble {
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

function nobodySaysYes(rules: readonly Prepared[]): string {
  const names = rules.map(({ name }) => name).join(", ");
  return rules.length === 1 ? `CEL rule ${names} is false` : `CEL rules ${names} are all false`;
}

import { lineFor } from "./difference.ts";
import type { Judgement } from "./judge.ts";
import type { Rule } from "./rule.ts";

/** What a person is shown: steps that do not agree, the rules that were used with their counts, and the sum. Where nothing is judged nothing agrees. */
export function report(judgements: readonly Judgement[]): { readonly lines: readonly string[]; readonly agree: boolean } {
  const wrong = judgements.filter(({ unexplained }) => unexplained.length > 0);
  const lines = [
    ...wrong.flatMap(({ scenario, step, unexplained }) => [
      `${scenario}, step ${step}`,
      ...unexplained.map((each) => `  ${lineFor(each)}`),
    ]),
    ...ruleLines(judgements),
    `${judgements.length - wrong.length} of ${judgements.length} steps agree`,
  ];
  return { lines, agree: judgements.length > 0 && wrong.length === 0 };
}

function ruleLines(judgements: readonly Judgement[]): readonly string[] {
  const counts = new Map<Rule, number>();
  for (const { rule } of judgements.flatMap(({ explained }) => explained)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (counts.size === 0) return [];
  const width = String(Math.max(...counts.values())).length;
  return [
    "Differences on purpose:",
    ...[...counts].map(([{ on, because }, count]) => `  ${String(count).padStart(width)}  ${on}: ${because}`),
  ];
}

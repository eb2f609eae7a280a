import { differenceLine } from "./state-difference.ts";
import type { StepComparison } from "./step-comparison.ts";
import type { DifferenceRule } from "./difference-rule.ts";

/**
 * The report for users: steps that do not agree, the intended differences with their counts, and the total. Without a
 * comparison nothing agrees.
 */
export function comparisonReport(judgements: readonly StepComparison[]): { readonly lines: readonly string[]; readonly agree: boolean } {
  const wrong = judgements.filter(({ unexplained }) => unexplained.length > 0);
  const lines = [
    ...wrong.flatMap(({ scenario, step, unexplained }) => [
      `${scenario}, step ${step}`,
      ...unexplained.map((each) => `  ${differenceLine(each)}`),
    ]),
    ...ruleLines(judgements),
    `${judgements.length - wrong.length} of ${judgements.length} steps agree`,
  ];
  return { lines, agree: judgements.length > 0 && wrong.length === 0 };
}

function ruleLines(judgements: readonly StepComparison[]): readonly string[] {
  const counts = new Map<DifferenceRule, number>();
  for (const { rule } of judgements.flatMap(({ explained }) => explained)) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (counts.size === 0) return [];
  const width = String(Math.max(...counts.values())).length;
  return [
    "Differences on purpose:",
    ...[...counts].map(([{ on, because }, count]) => `  ${String(count).padStart(width)}  ${on}: ${because}`),
  ];
}

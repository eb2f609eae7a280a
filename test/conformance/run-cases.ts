import type { ConformanceCase } from "./conformance-case.ts";
import { answerDifferences } from "./answer-differences.ts";
import { runCase, type StepAnswer } from "./run-case.ts";
import type { ConformanceTarget } from "./conformance-target.ts";

/** The outcome of a case: its answers, or why it could not run to its end. */
export type CaseOutcome =
  | { readonly subject: ConformanceCase; readonly heard: readonly StepAnswer[] }
  | { readonly subject: ConformanceCase; readonly error: unknown };

/** Runs cases, `atOnce` at a time, and then those that run alone. `run` makes the names of this run unique on the cluster. */
export async function* runCases(
  cases: readonly ConformanceCase[],
  target: ConformanceTarget,
  run: string,
  { atOnce = 1 }: { atOnce?: number } = {},
): AsyncGenerator<CaseOutcome> {
  const waiting = cases.filter(({ runsAlone = false }) => !runsAlone);
  const running = new Map<string, Promise<CaseOutcome>>();
  while (waiting.length > 0 || running.size > 0) {
    while (running.size < atOnce && waiting.length > 0) {
      const subject = waiting.shift()!;
      running.set(subject.id, outcomeOf(subject, target, run));
    }
    const outcome = await Promise.race(running.values());
    running.delete(outcome.subject.id);
    yield outcome;
  }
  for (const subject of cases.filter(({ runsAlone = false }) => runsAlone)) yield await outcomeOf(subject, target, run);
}

async function outcomeOf(subject: ConformanceCase, target: ConformanceTarget, run: string): Promise<CaseOutcome> {
  try {
    return { subject, heard: await runCase(subject, target, run) };
  } catch (error) {
    return { subject, error };
  }
}

/** The differences of an outcome from the recording, as lines. */
export function caseFailures(outcome: CaseOutcome, recorded: readonly StepAnswer[] | undefined): string[] {
  if ("error" in outcome) return [outcome.error instanceof Error ? outcome.error.message : String(outcome.error)];
  if (recorded === undefined) return ["not recorded: run npm run conformance:record"];
  const { heard } = outcome;
  if (heard.length !== recorded.length) return [`${recorded.length} steps are recorded, ${heard.length} were run: record anew`];
  return heard.flatMap(({ step, heard: got }, index) => {
    const known = recorded[index]!;
    if (known.step !== step) return [`step ${known.step} is recorded, ${step} was run: record anew`];
    const lines = answerDifferences(known.heard, got);
    return lines.length === 0 ? [] : [step, ...lines.map((line) => `  ${line}`)];
  });
}

import assert from "node:assert/strict";
import type { ClusterUnderTest } from "./cluster-under-test.ts";
import { objectionsToAct } from "./objections-to-act.ts";
import { progressLine } from "./progress-line.ts";
import type { Act, ReleaseScenario } from "./scenario.ts";
import { ScenarioRunner, type ActResult } from "./scenario-runner.ts";

type ScenarioRun = { readonly results: readonly ActResult[]; readonly runner: ScenarioRunner };

/** Takes part in each act: is called before it, and what it returns is called with the result. */
type ActObserver = (act: Act, runner: ScenarioRunner) => Promise<(result: ActResult) => void>;

/** Runs a scenario and asserts after each act what it expects. */
export async function runScenario(
  scenario: ReleaseScenario,
  underTest: ClusterUnderTest,
  namespace?: string,
  observe?: ActObserver,
): Promise<ScenarioRun> {
  const runner = await ScenarioRunner.start(scenario, underTest, namespace);
  try {
    const results: ActResult[] = [];
    for (const [at, act] of scenario.acts.entries()) {
      const observed = await observe?.(act, runner);
      const one = await runner.run(act);
      results.push(one);
      observed?.(one);
      await assertAsExpected(act, one, runner, underTest, at);
    }
    return { results, runner };
  } finally {
    if (underTest.shared) await underTest.until(runner.cleanUp());
    runner.close();
  }
}

/** Watch streams may be late, so a failed expectation is checked again a few times. */
async function assertAsExpected(
  act: Act,
  result: ActResult,
  runner: ScenarioRunner,
  underTest: ClusterUnderTest,
  at: number,
): Promise<void> {
  await underTest.catchUp();
  let objections = await objectionsToAct(act, result, runner);
  for (let attempt = 1; objections.length > 0 && attempt < underTest.attempts; attempt++) {
    await underTest.catchUp();
    objections = await objectionsToAct(act, result, runner);
  }
  if (objections.length > 0) assert.fail(failureReport(act, at, objections, result));
  await underTest.until(act.expect?.more?.(runner.thirdParty) ?? Promise.resolve());
}

function failureReport(act: Act, at: number, objections: readonly string[], { seen, progress }: ActResult): string {
  const parts = [
    `act ${at + 1}, ${act.do}:`,
    ...objections.map((text) => `- ${text}`),
    "seen in the cluster:",
    ...seen().map((text) => `  ${text}`),
    "progress:",
    ...progress.map((event) => `  ${progressLine(event)}`),
  ];
  return parts.join("\n");
}

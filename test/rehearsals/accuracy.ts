import type { ActResult, ScenarioRunner } from "../scenarios/scenario-runner.ts";
import type { ClusterUnderTest } from "../scenarios/cluster-under-test.ts";
import type { Act, ReleaseScenario } from "../scenarios/scenario.ts";
import { objectionToRehearsal, rehearseAct } from "./rehearse-act.ts";
import { runDifferences } from "./run-differences.ts";

/** How a deploy was rehearsed, and how it went. */
export type AccuracyRow = {
  readonly scenario: string;
  readonly differences: readonly string[];
  readonly expectedMs: number;
  readonly tookMs: number;
};

/** Rehearses each act of scenarios before it is played, where it can be, and compares. */
export class Accuracy {
  readonly rows: AccuracyRow[] = [];
  /** How many acts were not rehearsed, by reason. */
  readonly leftOut = new Map<string, number>();

  /** Takes part in the acts of a scenario: see runScenario. */
  observe(scenario: ReleaseScenario, underTest: ClusterUnderTest) {
    return async (act: Act, runner: ScenarioRunner): Promise<(result: ActResult) => void> => {
      const objection = objectionToRehearsal(act, scenario);
      if (objection !== undefined) {
        this.leftOut.set(objection, (this.leftOut.get(objection) ?? 0) + 1);
        return () => {};
      }
      const run = await rehearseAct(act, underTest, runner.namespace);
      return ({ progress, tookMs }) => {
        const rehearsed = run.progress.map(({ event }) => event);
        const differences = runDifferences(rehearsed, progress);
        this.rows.push({ scenario: scenario.name, differences, expectedMs: run.endedAtMs - run.startedAtMs, tookMs });
      };
    };
  }

  /** The table, and what was left out of it. */
  lines(): readonly string[] {
    const scenarios = new Set(this.rows.map(({ scenario }) => scenario));
    const wrong = this.rows.filter(({ differences }) => differences.length > 0);
    return [
      `${this.rows.length} deploys of ${scenarios.size} scenarios: ${this.rows.length - wrong.length} went as rehearsed`,
      ...wrong.flatMap(({ scenario, differences }) => [`  ${scenario}`, ...differences.map((difference) => `    ${difference}`)]),
      ...[...this.leftOut].map(([why, count]) => `left out: ${count} acts: ${why}`),
    ];
  }
}

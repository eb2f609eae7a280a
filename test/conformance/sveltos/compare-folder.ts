import { startControllers } from "./start-controllers.ts";
import { StepComparer, type StepComparison } from "./step-comparison.ts";
import { runRecordedScenario, type StartControllers } from "./run-recorded-scenario.ts";
import { intendedDifferences } from "./intended-differences.ts";
import { scenariosIn, type RecordedScenario } from "./recorded-scenario.ts";
import { readScenarioClusters } from "./scenario-clusters.ts";
import { RecordScope } from "./snapshot.ts";

/** Runs every scenario of a folder and compares each recorded step. */
export async function compareFolder(folder: string, by: StartControllers = startControllers): Promise<readonly StepComparison[]> {
  const scenarios = scenariosIn(folder);
  const scope = new RecordScope(scenarios);
  const comparisons: StepComparison[] = [];
  for (const scenario of scenarios) comparisons.push(...(await compareScenario(scenario, { folder, scope, startControllers: by })));
  return comparisons;
}

type CompareOptions = { readonly folder: string; readonly scope: RecordScope; readonly startControllers: StartControllers };

/** When a scenario cannot run to its end, none of its remaining steps agrees. */
async function compareScenario(
  scenario: RecordedScenario,
  { folder, scope, startControllers: by }: CompareOptions,
): Promise<readonly StepComparison[]> {
  const comparisons = new Map<number, StepComparison>();
  const comparer = new StepComparer(intendedDifferences);
  let failure: unknown;
  try {
    for await (const result of runRecordedScenario(scenario, {
      clusters: readScenarioClusters(scenario.name, folder),
      scope,
      startControllers: by,
    })) {
      comparisons.set(result.step.number, comparer.compare(scenario.name, result));
    }
  } catch (error) {
    failure = error;
  }
  const notRun = { cluster: "all", kind: "Scenario", name: scenario.name, path: "run", recorded: "", got: String(failure) };
  const recorded = scenario.steps.filter(({ after }) => after !== undefined);
  return recorded.map(
    ({ number }) => comparisons.get(number) ?? { scenario: scenario.name, step: number, unexplained: [notRun], explained: [] },
  );
}

import { crew } from "./crew.ts";
import { Judge, type Judgement } from "./judge.ts";
import { play, type Crew } from "./play.ts";
import { rules } from "./rules.ts";
import { scenariosIn, type Scenario } from "./scenario.ts";
import { clustersFor } from "./setup.ts";
import { Scope } from "./snapshot.ts";

/** Plays every scenario of a folder and compares each step that has a record. */
export async function judgementsOf(folder: string, by: Crew = crew): Promise<readonly Judgement[]> {
  const scenarios = scenariosIn(folder);
  const scope = new Scope(scenarios);
  const judgements: Judgement[] = [];
  for (const scenario of scenarios) judgements.push(...(await judge(scenario, { folder, scope, crew: by })));
  return judgements;
}

type Means = { readonly folder: string; readonly scope: Scope; readonly crew: Crew };

/** A scenario that cannot be played to its end agrees in none of the steps that are left. */
async function judge(scenario: Scenario, { folder, scope, crew: by }: Means): Promise<readonly Judgement[]> {
  const judgements = new Map<number, Judgement>();
  const expert = new Judge(rules);
  let trouble: unknown;
  try {
    for await (const played of play(scenario, { clusters: clustersFor(scenario.name, folder), scope, crew: by })) {
      judgements.set(played.step.number, expert.judge(scenario.name, played));
    }
  } catch (error) {
    trouble = error;
  }
  const unplayed = { cluster: "all", kind: "Scenario", name: scenario.name, path: "playing", recorded: "", got: String(trouble) };
  const recorded = scenario.steps.filter(({ after }) => after !== undefined);
  return recorded.map(
    ({ number }) => judgements.get(number) ?? { scenario: scenario.name, step: number, unexplained: [unplayed], explained: [] },
  );
}

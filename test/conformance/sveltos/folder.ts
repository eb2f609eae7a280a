import { crew } from "./crew.ts";
import { Judge, type Judgement } from "./judge.ts";
import { play } from "./play.ts";
import { rules } from "./rules.ts";
import { scenariosIn } from "./scenario.ts";
import { clustersFor } from "./setup.ts";
import { Scope } from "./snapshot.ts";

/** Plays every scenario of a folder and compares each step that has a record. */
export async function judgementsOf(folder: string): Promise<readonly Judgement[]> {
  const scenarios = scenariosIn(folder);
  const scope = new Scope(scenarios);
  const judgements: Judgement[] = [];
  for (const scenario of scenarios) {
    const judge = new Judge(rules);
    for await (const played of play(scenario, { clusters: clustersFor(scenario.name, folder), scope, crew })) {
      if (played.step.after !== undefined) judgements.push(judge.judge(scenario.name, played));
    }
  }
  return judgements;
}

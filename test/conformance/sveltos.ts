/**
 * Plays the scenarios of a folder of what a running Sveltos was seen to do (`setup.yaml`, and a folder a scenario: inputs
 * and the objects after each step) on embedded clusters, with an agent in each managed one, and compares after each step.
 * Shows what differs, then the intended differences that were met, and ends with how many steps agree.
 */
import { report } from "./sveltos/report.ts";
import { crew } from "./sveltos/crew.ts";
import { Judge, type Judgement } from "./sveltos/judge.ts";
import { play } from "./sveltos/play.ts";
import { rules } from "./sveltos/rules.ts";
import { scenariosIn } from "./sveltos/scenario.ts";
import { clustersFor } from "./sveltos/setup.ts";
import { Scope } from "./sveltos/snapshot.ts";

async function main(folder: string | undefined): Promise<void> {
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:sveltos -- DIR\n");
    process.exitCode = 2;
    return;
  }
  const scenarios = scenariosIn(folder);
  const scope = new Scope(scenarios);
  const judgements: Judgement[] = [];
  for (const scenario of scenarios) {
    const judge = new Judge(rules);
    for await (const played of play(scenario, { clusters: clustersFor(scenario.name, folder), scope, crew })) {
      if (played.step.after !== undefined) judgements.push(judge.judge(scenario.name, played));
    }
  }
  const { lines, agree } = report(judgements);
  process.stdout.write(`${lines.join("\n")}\n`);
  if (!agree) process.exitCode = 1;
}

await main(process.argv[2]);

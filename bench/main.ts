/**
 * Runs the benchmarks that are named, `npm run bench -- rollout startup`, or all but those that take minutes: most of
 * them need real control planes, and Go to build what they run against.
 */
import { client } from "./client.ts";
import { evaluate } from "./evaluate.ts";
import { events } from "./events.ts";
import { fleet } from "./fleet.ts";
import { overhead } from "./overhead.ts";
import { planning } from "./planning.ts";
import { race } from "./race.ts";
import { rollout } from "./rollout.ts";
import { startup } from "./startup.ts";

const benchmarks: Readonly<Record<string, () => Promise<void>>> = {
  client,
  evaluate,
  overhead,
  planning,
  rollout,
  startup,
  race,
  events,
  fleet,
};
const onlyWhenNamed: readonly string[] = ["race", "events", "fleet"];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(", ")}: there are ${Object.keys(benchmarks).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(benchmarks).filter((each) => !onlyWhenNamed.includes(each))) {
    process.stdout.write(`\n== ${name}\n`);
    await benchmarks[name]!();
  }
}

/** Runs the benchmarks, all of them or those that are named: `npm run bench -- rollout startup`. */
import { client } from "./client.ts";
import { rollout } from "./rollout.ts";
import { startup } from "./startup.ts";

const benchmarks: Readonly<Record<string, () => Promise<void>>> = { client, rollout, startup };

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(benchmarks, name));
if (unknown.length > 0) {
  process.stderr.write(`no benchmark ${unknown.join(", ")}: there are ${Object.keys(benchmarks).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const name of asked.length > 0 ? asked : Object.keys(benchmarks)) {
    process.stdout.write(`\n== ${name}\n`);
    await benchmarks[name]!();
  }
}

/**
 * `npm run test:ownership`: runs ownership-histories.ts with many random histories, one process for each core. RUNS is the
 * number of histories in a process (default 60). SEED makes the first process repeat its histories (default: other ones each time).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const file = join(import.meta.dirname, "ownership-histories.ts");
const { RUNS = "60", SEED = String(Date.now() % 2 ** 31) } = process.env;
process.stdout.write(`SEED=${SEED} RUNS=${RUNS}\n`);
const children = Array.from({ length: availableParallelism() }, (_, at) =>
  spawn(process.execPath, ["--test", "--test-reporter=spec", file], {
    stdio: "inherit",
    env: { ...process.env, RUNS, SEED: String(Number(SEED) + at) },
  }),
);
const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
if (codes.some((code) => code !== 0)) process.exitCode = 1;

/** Runs every-kill.ts on all cores, one shard each. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";

const shards = availableParallelism();
const file = join(import.meta.dirname, "every-kill.ts");
const children = Array.from({ length: shards }, (_, at) =>
  spawn(process.execPath, ["--test", "--test-reporter=spec", file], {
    stdio: "inherit",
    env: { ...process.env, SHARD: `${at + 1}/${shards}` },
  }),
);
const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
if (codes.some((code) => code !== 0)) process.exitCode = 1;

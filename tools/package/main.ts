/** `npm run package`: makes all that is released into `out/`. Made twice of the same commit, it is the same to the byte. */
import { join } from "node:path";
import { Fault } from "../../src/core/fault/index.ts";
import { packageAll } from "./package-all.ts";

const root = join(import.meta.dirname, "..", "..");
const log = (line: string) => void process.stdout.write(`${line}\n`);

try {
  await packageAll(root, process.argv[2] ?? join(root, "out"), log);
} catch (error) {
  process.stderr.write(`${error instanceof Fault || !(error instanceof Error) ? String(error).replace(/^Fault: /, "") : error.stack}\n`);
  process.exitCode = 1;
}

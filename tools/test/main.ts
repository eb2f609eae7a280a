/**
 * `npm test [-- [--verbose] [PATTERN…]]`: runs the tests that need Node and npm only. A pattern is a part of a file's path.
 * Prints what failed and one summary of all tests; with `--verbose`, every test.
 */
import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { batchesOf } from "./batches.ts";
import { Summary } from "./summary.ts";
import { runBatch } from "./run-batch.ts";

const { values, positionals } = argumentsOrExit();
const all = globSync([
  "src/**/*.test.ts",
  "test/**/*.test.ts",
  "bench/**/*.test.ts",
  "dashboard/**/*.test.ts",
  "tools/**/*.test.ts",
]).toSorted();
const files = positionals.length === 0 ? all : all.filter((file) => positionals.some((pattern) => file.includes(pattern)));
if (files.length === 0) {
  process.stderr.write(`no test file's path contains ${positionals.join(" or ")}\n`);
  process.exit(2);
}

// Most processes load the same modules: what one has compiled serves the next.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compile");

const summary = new Summary((text) => process.stdout.write(text), values.verbose);
const waiting = batchesOf(files, (file) => readFileSync(file, "utf8"));
async function work(): Promise<void> {
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    const results = runBatch(batch);
    let next = await results.next();
    for (; next.done !== true; next = await results.next()) summary.add(next.value);
    summary.addOutput(batch.files, next.value);
  }
}
// One more than there are cores: many tests wait for sockets and processes.
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
process.exitCode = summary.finish(files.length) ? 0 : 1;

function argumentsOrExit() {
  try {
    return parseArgs({ options: { verbose: { type: "boolean", default: false } }, allowPositionals: true });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\nusage: npm test [-- [--verbose] [PATTERN…]]\n`);
    process.exit(2);
  }
}

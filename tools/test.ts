/** Runs the tests that need Node and npm only; arguments name the files to run instead of all. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const asked = process.argv.slice(2);
const files = (asked.length > 0 ? asked : globSync(["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"])).toSorted();
const generating = files.filter((file) => readFileSync(file, "utf8").includes('from "fast-check"'));
const plain = files.filter((file) => !generating.includes(file));
const fixedSeed = ["--import", join(import.meta.dirname, "..", "test", "support", "fixed-seed.ts")];

/** Every file is a process of its own, and most read the same modules: what one has compiled serves the next. */
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "..", "node_modules", ".cache", "compile");

/** A file that takes longer than this hangs. */
const longestMs = 180_000;

let failed = false;

/** One run after the other, as one. */
async function* events() {
  for (const [some, execArgv] of [
    [plain, []],
    [generating, fixedSeed],
  ] as const) {
    if (some.length === 0) continue;
    for await (const event of run({ files: [...some], concurrency: 2, timeout: longestMs, execArgv: [...execArgv] })) {
      if (event.type === "test:fail") failed = true;
      yield event;
    }
  }
}

Readable.from(events()).compose(new spec()).pipe(process.stdout);
process.on("exit", () => {
  if (failed) process.exitCode = 1;
});

/** Runs the tests that need Node and npm only, all in one process; arguments name the files to run instead of all. */
import { globSync } from "node:fs";
import { run } from "node:test";
import { spec } from "node:test/reporters";

const asked = process.argv.slice(2);
const files = (asked.length > 0 ? asked : globSync(["src/**/*.test.ts", "test/**/*.test.ts", "bench/**/*.test.ts"])).toSorted();

let failed = false;
run({ files, concurrency: 2 })
  .on("test:fail", () => {
    failed = true;
  })
  .compose(new spec())
  .pipe(process.stdout);
process.on("exit", () => {
  if (failed) process.exitCode = 1;
});

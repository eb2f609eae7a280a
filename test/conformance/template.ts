/**
 * Runs a folder of recorded template results (`*.jsonl`), each file with the module of the same name in `template/`, and
 * compares. Prints wrong results and a line for each file. Records of a file without a module count as wrong.
 */
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

type Runner = {
  /** Returns what is wrong with our result, or undefined when it is the recorded one. */
  readonly check: (record: unknown) => string | undefined | Promise<string | undefined>;
  /** Whether a record can be compared. Default: all can. */
  readonly counts?: (record: unknown) => boolean;
};

const shownPerFile = 20;

async function runnerFor(name: string): Promise<Runner | undefined> {
  const module = new URL(`./template/${name}.ts`, import.meta.url);
  return existsSync(module) ? ((await import(module.href)) as Runner) : undefined;
}

async function runFile(path: string): Promise<{ readonly passed: number; readonly all: number }> {
  const name = basename(path, ".jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  const records: unknown[] = lines.filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  const runner = await runnerFor(name);
  const counted = runner?.counts === undefined ? records : records.filter(runner.counts);
  const wrong: string[] = [];
  for (const record of counted) {
    const complaint = runner === undefined ? "no runner" : await runner.check(record);
    if (complaint !== undefined) wrong.push(complaint);
  }
  const passed = counted.length - wrong.length;
  const shown = runner === undefined ? [] : wrong.slice(0, shownPerFile).map((complaint) => `  ${complaint}\n`);
  process.stdout.write(`${shown.join("")}${name}: ${passed} of ${counted.length}\n`);
  return { passed, all: counted.length };
}

async function main(): Promise<void> {
  const folder = process.argv[2];
  if (folder === undefined) {
    process.stderr.write("usage: npm run conformance:template -- DIR\n");
    process.exitCode = 2;
    return;
  }
  let [passed, all] = [0, 0];
  for (const file of readdirSync(folder).toSorted()) {
    if (!file.endsWith(".jsonl")) continue;
    const result = await runFile(join(folder, file));
    passed += result.passed;
    all += result.all;
  }
  process.stdout.write(`${passed} of ${all} template cases\n`);
  if (passed < all) process.exitCode = 1;
}

await main();

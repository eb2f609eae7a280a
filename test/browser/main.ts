/**
 * `npm run test:browser [-- PATTERN…]`: every view of the dashboard in Debian's Chromium, with the real server on embedded clusters.
 * Installs the package when it is missing. Prints what failed, and the figures that tests measure.
 */
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { Fault } from "../../src/core/fault/index.ts";
import { stringAt } from "../../src/core/object/index.ts";
import { bundlePage } from "../../tools/build/bundle-page.ts";
import { chromiumVariable, findChromium } from "./support/find-chromium.ts";

const patterns = process.argv.slice(2);
const log = (line: string) => void process.stdout.write(`${line}\n`);
/** A test that hangs ends by then. */
const timeoutMs = 180_000;

/** What Node's runner says at the end. */
const tally = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

async function main(): Promise<number> {
  const files = globSync("*.browser.ts", { cwd: import.meta.dirname })
    .filter((name) => patterns.length === 0 || patterns.some((pattern) => name.includes(pattern)))
    .toSorted()
    .map((name) => join(import.meta.dirname, name));
  if (files.length === 0) throw new Fault("run browser tests", `no file's name contains ${patterns.join(" or ")}`);
  const startedAt = performance.now();
  process.env[chromiumVariable] = await findChromium(log);
  await bundlePage(join(import.meta.dirname, "..", "..", "dist", "page"));
  const { passed, failed } = await runFiles(files);
  log(`${passed} passed, ${failed} failed, ${files.length} files in ${Math.round((performance.now() - startedAt) / 1000)} s`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/** One file after the other: figures are measured, and a browser takes both cores. */
async function runFiles(files: readonly string[]): Promise<{ readonly passed: number; readonly failed: number }> {
  let [passed, failed] = [0, 0];
  for await (const { type, data } of run({ files, concurrency: 1, timeout: timeoutMs })) {
    if (type === "test:diagnostic" && !tally.test(data.message)) log(`  ${data.message}`);
    if (type === "test:stderr") process.stderr.write(data.message);
    if (type !== "test:pass" && type !== "test:fail") continue;
    const isGroup = data.details.type === "suite" || existsSync(data.name);
    if (type === "test:pass") {
      passed += isGroup ? 0 : 1;
      if (!isGroup) log(`ok ${data.name} (${Math.round(data.details.duration_ms)} ms)`);
    } else if (!isGroup || stringAt(data.details.error, "failureType") !== "subtestsFailed") {
      failed++;
      const { cause } = data.details.error;
      const told = cause instanceof Error ? (cause.stack ?? cause.message) : data.details.error.message;
      log([`FAILED ${data.name}`, ...told.split("\n")].join("\n    "));
    }
  }
  return { passed, failed };
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error instanceof Fault ? error.message : error.stack) : String(error)}\n`);
  process.exitCode = 1;
}

/**
 * Runs inputs of one target in a process of its own: `fuzz-process.ts TARGET SEED PROGRESS [INPUT]`. Before each input its number is
 * written to the file PROGRESS, so that who watches knows what has ended or hung this process. A crash is printed as JSON and is the end.
 */
import { openSync, readFileSync, writeSync } from "node:fs";
import { crashOf } from "./fuzz-target.ts";
import { randomInput, shrunk } from "./random-input.ts";
import { targets } from "./targets.ts";

const [name = "", seed = "0", progress = "", inputFile] = process.argv.slice(2);
const target = targets[name];
if (target === undefined) throw new Error(`no target ${name}`);
const file = openSync(progress, "w");
const report = (number: number) => void writeSync(file, String(number).padEnd(20), 0);

/** How many inputs run before others may: those of a target that never waits. */
const everyInputs = 1000;

if (inputFile !== undefined) {
  report(0);
  await crashOf(target, readFileSync(inputFile, "utf8"));
  process.exit(0);
}
for (let number = Number(seed); ; number++) {
  report(number);
  const input = randomInput(target, number);
  const crash = await crashOf(target, input);
  if (crash !== undefined) {
    const small = await shrunk(input, async (text) => (await crashOf(target, text)) !== undefined, 2000);
    process.stdout.write(JSON.stringify({ number, crash: (await crashOf(target, small)) ?? crash, input: small }));
    process.exit(1);
  }
  if (number % everyInputs === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
}

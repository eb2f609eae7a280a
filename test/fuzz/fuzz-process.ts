/**
 * Runs inputs of one target in a process of its own: `fuzz-process.ts ORDER`, a FuzzOrder as JSON. Before each input its number is
 * written to a file, so that who watches knows what has ended or hung this process. What is found is printed, one line of JSON for
 * each time that the input was made smaller, and is the end.
 */
import { openSync, writeSync } from "node:fs";
import { crashOf, excessOf, type FuzzTarget, type InputLimits } from "./fuzz-target.ts";
import { randomInput, shrunk } from "./random-input.ts";

export type FuzzOrder = {
  /** The file that exports `targets`. */
  readonly module: string;
  readonly target: string;
  /** The file that the number of the input that runs is written to. */
  readonly progress: string;
  readonly limits: InputLimits;
} & FuzzInputs;

/** One input, or those of numbers until the time is over or the last one has run. */
export type FuzzInputs =
  | { readonly input: string }
  | { readonly first: number; readonly forMs: number }
  | { readonly first: number; readonly last: number };

/** What is wrong with the input of a number. */
export type FoundInput = { readonly number: number; readonly what: string; readonly input: string };

/** How many inputs run before others may: those of a target that never waits. */
const everyInputs = 1000;
const shrinkTries = 2000;

const order = JSON.parse(process.argv[2] ?? "") as FuzzOrder;
const { targets } = (await import(order.module)) as { readonly targets: Readonly<Record<string, FuzzTarget>> };
const target = targets[order.target];
if (target === undefined) throw new Error(`no target ${order.target}`);
const file = openSync(order.progress, "w");
const report = (number: number) => void writeSync(file, String(number).padEnd(20), 0);
const print = (found: FoundInput) => void process.stdout.write(`${JSON.stringify(found)}\n`);

const isWanted = ((): ((number: number) => boolean) => {
  if ("last" in order) return (number) => number <= order.last;
  if ("input" in order) return (number) => number === 0;
  const until = performance.now() + order.forMs;
  return () => performance.now() < until;
})();

const first = "input" in order ? 0 : order.first;
for (let number = first; ; number++) {
  report(number);
  if (!isWanted(number)) process.exit(0);
  const input = "input" in order ? order.input : randomInput(target, number);
  const before = cpuMs();
  const crash = await crashOf(target, input);
  const what = crash ?? excessOf(order.limits, cpuMs() - before, process.resourceUsage().maxRSS / 1024);
  if (what !== undefined) {
    print({ number, what, input });
    if (crash !== undefined && !("input" in order)) {
      const small = await shrunk(input, async (text) => (await crashOf(target, text)) !== undefined, shrinkTries);
      print({ number, what: (await crashOf(target, small)) ?? crash, input: small });
    }
    process.exit(0);
  }
  if (number % everyInputs === 0) await new Promise<void>((resolve) => void setImmediate(resolve));
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

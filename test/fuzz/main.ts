/**
 * Gives random inputs to every parser and engine, each in a process that is watched from outside:
 * `npm run fuzz -- --minutes 60 --only REGEX --seed NUMBER`. A finding is printed with its seed and the smallest input that shows it.
 * Exits with 1 if there is any. What took too much once, and not again by itself, is due to the machine and is only mentioned.
 * `--only TARGET --seed NUMBER --minutes 0` plays one again.
 */
import { parseArgs } from "node:util";
import { fuzz, type Finding } from "./watch-fuzz.ts";
import { targets } from "./targets.ts";

const { values: flags } = parseArgs({
  options: { minutes: { type: "string", default: "60" }, only: { type: "string", default: "" }, seed: { type: "string" } },
});
const names = Object.keys(targets).filter((name) => new RegExp(flags.only).test(name));
if (names.length === 0) {
  process.stderr.write(`--only ${flags.only}: expected some of ${Object.keys(targets).join(", ")}\n`);
  process.exit(2);
}
const forMs = Number(flags.minutes) * 60_000;
const first = Number(flags.seed ?? Math.floor(Math.random() * 2 ** 31));
/** Each target has a turn of so long at most, and several of them in an hour. */
const turnMs = Math.min(30_000, Math.max(2000, forMs / names.length));
const until = performance.now() + forMs;
const next = new Map(names.map((name) => [name, first]));
const findings = new Map<string, Finding>();
let [inputs, unconfirmed] = [0, 0];
process.stdout.write(`seed ${first}\n`);
do {
  for (const name of names) {
    const seed = next.get(name)!;
    const result = await fuzz(name, seed, turnMs);
    next.set(name, result.next);
    inputs += result.next - seed;
    const { finding } = result;
    if (result.unconfirmed !== undefined) {
      unconfirmed++;
      process.stdout.write(`${name}, seed ${result.unconfirmed.seed}: ${result.unconfirmed.what}, once and not again\n`);
    }
    if (finding === undefined) continue;
    // The same mistake is found again and again.
    const key = `${name} ${finding.what.split("\n").slice(0, 2).join(" ")}`;
    if (findings.has(key)) continue;
    findings.set(key, finding);
    process.stdout.write(`\n${name}, seed ${finding.seed}: ${finding.what}\ninput: ${JSON.stringify(finding.input.slice(0, 2000))}\n`);
  }
} while (performance.now() < until);
process.stdout.write(`\n${inputs} inputs of ${names.length} targets, ${findings.size} findings, ${unconfirmed} not confirmed\n`);
process.exitCode = findings.size === 0 ? 0 : 1;

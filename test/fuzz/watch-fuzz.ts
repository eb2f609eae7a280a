/** Watches a process that runs inputs, from outside: what hangs it, fills its memory or ends it is found. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMsOf, residentMiBOf } from "../../bench/process.ts";
import { randomInput, shrunk } from "./random-input.ts";
import { targets } from "./targets.ts";

/** What is wrong with an input: it crashes, takes more than a second of the processor or more than 512 MiB, or ends the process. */
export type Finding = { readonly target: string; readonly seed: number; readonly what: string; readonly input: string };

const mostCpuMs = 1000;
const mostMiB = 512;
const everyMs = 100;
/** The start of a process, with the seeds that it reads. */
const startMs = 20_000;

type Watched = { readonly number: number; readonly what: string | undefined; readonly output: string };

/** Runs a process until it ends, exceeds a limit or the time is over. */
async function watched(args: readonly string[], forMs: number): Promise<Watched> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-fuzz-"));
  const progress = join(folder, "progress");
  const [target = "", seed = "", ...rest] = args;
  const main = join(import.meta.dirname, "fuzz-process.ts");
  const child = spawn(process.execPath, ["--max-old-space-size=1024", main, target, seed, progress, ...rest], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const { pid = 0 } = child;
  const startedAt = performance.now();
  let [number, cpuAtNumber, what]: [number, number, string | undefined] = [-1, 0, undefined];
  const timer = setInterval(() => {
    try {
      const now = Number(readNumber(progress));
      const [cpu, memory] = [cpuMsOf(pid), residentMiBOf(pid)];
      if (now !== number) [number, cpuAtNumber] = [now, cpu];
      else if (number >= 0 && output === "" && cpu - cpuAtNumber > mostCpuMs) what = `takes more than ${mostCpuMs} ms of the processor`;
      if (memory > mostMiB) what = `takes more than ${mostMiB} MiB`;
    } catch {
      // It has ended.
    }
    const elapsed = performance.now() - startedAt;
    if (what !== undefined || (number >= 0 ? elapsed > forMs : elapsed > forMs + startMs)) kill();
  }, everyMs);
  const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) => {
    child.once("close", (...how) => resolve(how));
  });
  clearInterval(timer);
  process.removeListener("exit", kill);
  rmSync(folder, { recursive: true, force: true });
  if (what === undefined && output === "" && (code !== null ? code !== 0 : signal !== "SIGKILL"))
    what = `ends the process (${signal ?? `exit code ${code}`})`;
  return { number, what, output };
}

function readNumber(file: string): number {
  try {
    const text = readFileSync(file, "utf8").trim();
    return text === "" ? -1 : Number(text);
  } catch {
    return -1;
  }
}

/** Runs inputs of a target from a seed on, for some time. Gives what it has found, and the seed after the last input. */
export async function fuzz(target: string, seed: number, forMs: number): Promise<{ readonly next: number; readonly finding?: Finding }> {
  const { number, what, output } = await watched([target, String(seed)], forMs);
  if (output !== "") {
    const found = JSON.parse(output) as { readonly number: number; readonly crash: string; readonly input: string };
    return { next: found.number + 1, finding: { target, seed: found.number, what: found.crash, input: found.input } };
  }
  if (what === undefined || number < 0) return { next: Math.max(number, seed) + 1 };
  const input = randomInput(targets[target]!, number);
  return { next: number + 1, finding: { target, seed: number, what, input: await shrunk(input, (text) => isExcessive(target, text), 40) } };
}

async function isExcessive(target: string, text: string): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "sluice-fuzz-input-"));
  const file = join(folder, "input");
  writeFileSync(file, text);
  try {
    return (await watched([target, "0", file], 5000)).what !== undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

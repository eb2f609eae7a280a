/** Watches a process that runs inputs, from outside: what hangs it, fills its memory or ends it is found, and tried again by itself. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuMsOf, residentMiBOf } from "../../bench/process.ts";
import type { FoundInput, FuzzInputs, FuzzOrder } from "./fuzz-process.ts";
import { excessOf, inputLimits, type FuzzTarget, type InputLimits } from "./fuzz-target.ts";
import { randomInput, shrunk } from "./random-input.ts";

/** What is wrong with an input: it crashes, takes more than a second of the processor or more than 512 MiB, or ends the process. */
export type Finding = { readonly target: string; readonly seed: number; readonly what: string; readonly input: string };

/** What a turn of a target has found, and the number of the input that comes next. */
export type Turn = {
  readonly next: number;
  readonly finding?: Finding;
  /** What was seen once and not again, neither alone nor with the inputs before it: it is due to the machine. */
  readonly unconfirmed?: Finding;
};

export type FuzzOptions = {
  /** The file that exports `targets`; every parser and engine by default. */
  readonly module?: string;
  readonly limits?: InputLimits;
};

const everyMs = 100;
/** The start of a process, with the seeds that it reads, on a machine that does a lot besides. */
const startMs = 120_000;
/** How often an input must take too much by itself. Of several times the least is what it takes. */
const replays = 3;
const shrinkTries = 40;

type Watched = {
  readonly next: number;
  readonly found: Pick<FoundInput, "number" | "what"> | undefined;
  readonly input: string | undefined;
};

/** Watches one target. */
class Watcher {
  readonly #target: string;
  readonly #module: string;
  readonly #limits: InputLimits;

  constructor(target: string, { module = join(import.meta.dirname, "targets.ts"), limits = inputLimits }: FuzzOptions) {
    this.#target = target;
    this.#module = module;
    this.#limits = limits;
  }

  async turn(first: number, forMs: number): Promise<Turn> {
    const { next, found, input } = await this.#watched({ first, forMs });
    if (found === undefined) return { next };
    const { number, what } = found;
    const text = input ?? randomInput(await this.#fuzzTarget(), number);
    const finding = { target: this.#target, seed: number, what, input: text };
    const isCrash = input !== undefined && !this.#isLimit(what);
    if (isCrash) return { next, finding };
    if (await this.#isConfirmed(text)) {
      const small = await shrunk(text, async (smaller) => (await this.#again(smaller)) !== undefined, shrinkTries);
      return { next, finding: { ...finding, input: small !== text && (await this.#isConfirmed(small)) ? small : text } };
    }
    // It may take those before it: what they have left behind, which is not always the same to the byte.
    const together = await this.#watched({ first, last: number + Math.ceil((number - first) / 10) });
    if (together.found?.what !== what) return { next, unconfirmed: finding };
    return { next, finding: { ...finding, what: `${what} together with the inputs from seed ${first} on` } };
  }

  #isLimit(what: string): boolean {
    const { cpuMs, memoryMiB } = this.#limits;
    return what === excessOf(this.#limits, cpuMs + 1, 0) || what === excessOf(this.#limits, 0, memoryMiB + 1);
  }

  async #fuzzTarget(): Promise<FuzzTarget> {
    const { targets } = (await import(this.#module)) as { readonly targets: Readonly<Record<string, FuzzTarget>> };
    return targets[this.#target]!;
  }

  async #again(input: string): Promise<string | undefined> {
    return (await this.#watched({ input })).found?.what;
  }

  async #isConfirmed(input: string): Promise<boolean> {
    for (let left = replays; left > 0; left--) if ((await this.#again(input)) === undefined) return false;
    return true;
  }

  /** Runs a process until it ends or an input exceeds a limit. */
  async #watched(inputs: FuzzInputs): Promise<Watched> {
    const folder = mkdtempSync(join(tmpdir(), "sluice-fuzz-"));
    const progress = join(folder, "progress");
    const order: FuzzOrder = { module: this.#module, target: this.#target, progress, limits: this.#limits, ...inputs };
    const main = join(import.meta.dirname, "fuzz-process.ts");
    const child = spawn(process.execPath, ["--max-old-space-size=1024", main, JSON.stringify(order)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const kill = () => void child.kill("SIGKILL");
    process.once("exit", kill);
    let [output, errors] = ["", ""];
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)));
    const current = new CurrentInput(child.pid ?? 0, progress, this.#limits);
    let what: string | undefined;
    const timer = setInterval(() => {
      // What has printed something makes it smaller, which takes as long as it takes.
      if (output === "") what ??= current.excess();
      if (what !== undefined || current.hasStalled()) kill();
    }, everyMs);
    const [code, signal] = await new Promise<readonly [number | null, string | null]>((resolve) => {
      child.once("close", (...how) => resolve(how));
    });
    clearInterval(timer);
    process.removeListener("exit", kill);
    const number = readNumber(progress);
    rmSync(folder, { recursive: true, force: true });
    const printed = lastLineOf(output);
    if (printed !== undefined) return { next: printed.number + 1, found: printed, input: printed.input };
    if (number < 0) throw new Error(`target ${this.#target} has run nothing (${signal ?? `exit code ${code}`}): ${errors.trim()}`);
    if (what === undefined && code !== 0) what = `ends the process (${signal ?? `exit code ${code}`})`;
    if (what === undefined) return { next: number, found: undefined, input: undefined };
    return { next: number + 1, found: { number, what }, input: undefined };
  }
}

/** What the input that runs has taken so far, seen from outside: at least so much. */
class CurrentInput {
  readonly #pid: number;
  readonly #progress: string;
  readonly #limits: InputLimits;
  #number = -1;
  #cpuMs = 0;
  #since = performance.now();

  constructor(pid: number, progress: string, limits: InputLimits) {
    this.#pid = pid;
    this.#progress = progress;
    this.#limits = limits;
  }

  excess(): string | undefined {
    try {
      // The processor's time is read before the number, so that all of it belongs to inputs up to that one, and again after a new
      // one was seen: this process may wait for its turn between any two of these lines.
      const [cpuMs, memoryMiB, number] = [cpuMsOf(this.#pid), residentMiBOf(this.#pid), readNumber(this.#progress)];
      if (number !== this.#number) [this.#number, this.#since, this.#cpuMs] = [number, performance.now(), cpuMsOf(this.#pid)];
      if (number < 0) return undefined;
      const isIdle = performance.now() - this.#since > this.#limits.waitMs;
      return (
        excessOf(this.#limits, cpuMs - this.#cpuMs, memoryMiB) ?? (isIdle ? `does not end within ${this.#limits.waitMs} ms` : undefined)
      );
    } catch {
      // It has ended.
      return undefined;
    }
  }

  /** Whether nothing has come of it for so long that nothing will. */
  hasStalled(): boolean {
    return performance.now() - this.#since > startMs;
  }
}

function readNumber(file: string): number {
  try {
    const text = readFileSync(file, "utf8").trim();
    return text === "" ? -1 : Number(text);
  } catch {
    return -1;
  }
}

/** The last whole line: a process may have been ended while it wrote. */
function lastLineOf(output: string): FoundInput | undefined {
  const line = output.split("\n").slice(0, -1).at(-1);
  return line === undefined ? undefined : (JSON.parse(line) as FoundInput);
}

/** Runs inputs of a target from a seed on, for some time. What takes too much is reported if it does so again, by itself. */
export function fuzz(target: string, seed: number, forMs: number, options: FuzzOptions = {}): Promise<Turn> {
  return new Watcher(target, options).turn(seed, forMs);
}

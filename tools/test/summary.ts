import { styleText } from "node:util";
import type { TestResult } from "./result.ts";

/** How many of the costliest files a verbose run lists. What they start as processes of their own is not counted. */
const costliest = 15;

/** Counts what became of tests, prints failures when all is over, and every test as it ends when it is asked to. */
export class Summary {
  readonly #write: (text: string) => void;
  readonly #verbose: boolean;
  readonly #failures: TestResult[] = [];
  readonly #cpuMsByFile = new Map<string, number>();
  readonly #startedAt = performance.now();
  #passed = 0;
  #skipped = 0;

  constructor(write: (text: string) => void, verbose: boolean) {
    this.#write = write;
    this.#verbose = verbose;
  }

  add(result: TestResult): void {
    const { state, file, name, durationMs, cpuMs = 0, because } = result;
    if (state === "passed") this.#passed++;
    else if (state === "skipped") this.#skipped++;
    else this.#failures.push(result);
    this.#cpuMsByFile.set(file, (this.#cpuMsByFile.get(file) ?? 0) + cpuMs);
    if (this.#verbose)
      this.#write(
        `${state} ${file}: ${name} (${Math.round(durationMs)} ms, ${Math.round(cpuMs)} ms of CPU)${state === "skipped" ? `: ${because ?? "no reason given"}` : ""}\n`,
      );
    else if (state === "failed") this.#write(`${styleText("red", "failed")} ${file}: ${name}\n`);
  }

  /** Keeps what the tests of some files printed themselves: shown where one of them failed, or with `--verbose`. */
  addOutput(files: readonly string[], text: string): void {
    const isWanted = this.#verbose || this.#failures.some(({ file }) => files.includes(file));
    if (text !== "" && isWanted) this.#write(`${files.join(", ")} printed:\n${text.replaceAll(/^/gm, "    ").trimEnd()}\n`);
  }

  /** Prints failures with their reasons and the one line that counts everything; true when nothing failed. */
  finish(files: number): boolean {
    for (const { file, name, because = "" } of this.#failures) {
      this.#write(`\n${styleText("red", "failed")} ${file}\n  ${name}\n${because.replaceAll(/^/gm, "    ")}\n`);
    }
    if (this.#verbose) {
      const costly = [...this.#cpuMsByFile].toSorted(([, a], [, b]) => b - a).slice(0, costliest);
      for (const [file, ms] of costly) this.#write(`${(ms / 1000).toFixed(1)} s of CPU  ${file}\n`);
    }
    const seconds = Math.round((performance.now() - this.#startedAt) / 1000);
    this.#write(`\n${files} files in ${seconds} s\n${this.#passed} passed, ${this.#failures.length} failed, ${this.#skipped} skipped\n`);
    return this.#failures.length === 0 && this.#passed > 0;
  }
}

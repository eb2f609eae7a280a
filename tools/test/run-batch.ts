import { fork } from "node:child_process";
import { on } from "node:events";
import { join } from "node:path";
import type { Batch } from "./batches.ts";
import type { BatchMessage, TestResult } from "./result.ts";

const program = join(import.meta.dirname, "batch-process.ts");
const untrackedPromises = join(import.meta.dirname, "untracked-promises.ts");
const fixedSeed = join(import.meta.dirname, "..", "..", "test", "support", "fixed-seed.ts");

/** A batch in which no test begins or ends for longer than this hangs. */
const longestMs = 300_000;

/** Runs a batch in a process of its own, and returns what it printed. A process that ends early or hangs is one more failed test. */
export async function* runBatch({ files, seeded }: Batch): AsyncGenerator<TestResult, string> {
  const child = fork(program, [...files], {
    execArgv: [untrackedPromises, ...(seeded ? [fixedSeed] : [])].flatMap((file) => ["--import", file]),
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const printed: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text: string) => printed.push(text));
  const ended = new AbortController();
  let hangs = false;
  const timer = setTimeout(() => {
    hangs = true;
    child.kill("SIGKILL");
  }, longestMs);
  child.once("close", () => ended.abort());
  let last = "its files were loaded";
  let done = false;
  let failed = 0;
  try {
    for await (const [message] of on(child, "message", { signal: ended.signal }) as AsyncIterable<[BatchMessage]>) {
      timer.refresh();
      if (message.type === "result") {
        if (message.result.state === "failed") failed++;
        yield message.result;
      } else if (message.type === "started") last = message.name;
      else done = true;
    }
  } catch (error) {
    if (!ended.signal.aborted) throw error;
  } finally {
    clearTimeout(timer);
  }
  const code = child.exitCode ?? child.signalCode;
  // What is thrown when its test is over fails no test, only the process.
  if (done && (code === 0 || (code === 1 && failed > 0))) return printed.join("");
  const because = hangs
    ? `nothing happened for ${longestMs / 1000} s, in: ${last}`
    : `the process ended with ${code} in: ${last}\n${printed.join("").slice(-4000)}`;
  yield { state: "failed", file: files.join(", "), name: "the process of these files", durationMs: 0, because };
  return "";
}

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A way to start Sluice: what comes before the arguments, and all that it is told of its surroundings. */
export type SluiceCommand = { readonly command: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> };

/** What a command said, and how it ended. */
export type ProcessResult = { readonly code: number | null; readonly out: string; readonly err: string };

/** Runs a command to its end. */
export async function runProcess(
  { command: [file, ...first], env }: SluiceCommand,
  args: readonly string[],
  cwd?: string,
): Promise<ProcessResult> {
  const child = spawn(file, [...first, ...args], { env, stdio: ["ignore", "pipe", "pipe"], ...(cwd === undefined ? {} : { cwd }) });
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (piece: string) => (out += piece));
  child.stderr.setEncoding("utf8").on("data", (piece: string) => (err += piece));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out, err };
}

/** A command that runs until it is ended. */
export type Service = {
  /** The line that it was waited for. */
  readonly line: string;
  readonly pid: number;
  /** Asks it to end; answers its exit code. */
  readonly end: () => Promise<number | null>;
};

/** Starts a command; there as soon as it has said a line that matches. */
export async function startService(
  { command: [file, ...first], env }: SluiceCommand,
  args: readonly string[],
  pattern: RegExp,
): Promise<Service> {
  const child = spawn(file, [...first, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close").then(([code]) => code as number | null);
  const end = () => {
    child.kill("SIGTERM");
    return ended;
  };
  const line = await lineOf(child, ended, pattern).catch(async (error: unknown) => {
    await end();
    throw error;
  });
  return { line, pid: child.pid ?? 0, end };
}

function lineOf(child: ChildProcess, ended: Promise<number | null>, pattern: RegExp): Promise<string> {
  const heard: string[] = [];
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on("line", (line) => {
        heard.push(line);
        if (pattern.test(line)) resolve(line);
      });
    }
    void ended.then((code) =>
      reject(new Error(`${child.spawnargs.join(" ")} has ended with ${code} before it said ${pattern}:\n${heard.join("\n")}`)),
    );
  });
}

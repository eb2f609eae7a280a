import { spawn } from "node:child_process";
import { join } from "node:path";

/** The root of the project. */
export const root = join(import.meta.dirname, "..", "..");

/** What a program said, and how it ended. A program that was killed has no exit code. */
export type Result = { readonly code: number | null; readonly out: string; readonly err: string };

export type ProgramOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Hears every line of standard output; `kill` ends the program at once, as a power cut would. */
  readonly hear?: (line: string, kill: () => void) => void;
};

/** Runs a program to its end. */
export function program(command: string, args: readonly string[], { cwd = root, env = {}, hear }: ProgramOptions = {}): Promise<Result> {
  const child = spawn(command, [...args], { cwd, env: { ...process.env, ...env } });
  const said = { out: "", err: "" };
  let heard = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    said.out += chunk.toString();
    for (let end = said.out.indexOf("\n", heard); end !== -1; end = said.out.indexOf("\n", heard)) {
      hear?.(said.out.slice(heard, end), () => child.kill("SIGKILL"));
      heard = end + 1;
    }
  });
  child.stderr.on("data", (chunk: Buffer) => (said.err += chunk.toString()));
  return new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => resolve({ code, ...said })));
}

/** Runs Sluice's command line as users do, in a process of its own. */
export function sluice(kubeconfig: string, args: readonly string[], options?: ProgramOptions): Promise<Result> {
  return program(process.execPath, [join(root, "src", "cli", "main.ts"), ...args, "--kubeconfig", kubeconfig], options);
}

/** Runs the real Helm; `folder` is all the home it has. */
export function helm(binary: string, folder: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Result> {
  const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HOME: folder };
  return program(binary, args, { cwd: folder, env: { ...homes, ...env } });
}

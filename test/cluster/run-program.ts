import { spawn } from "node:child_process";
import { join } from "node:path";

/** The root of the project. */
export const projectRoot = join(import.meta.dirname, "..", "..");

/** The output of a program and its exit code, which is null when it was killed. */
export type ProgramResult = { readonly code: number | null; readonly out: string; readonly err: string };

export type ProgramOptions = {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Called with every line of standard output; `kill` sends a signal, SIGKILL by default. */
  readonly onLine?: (line: string, kill: (signal?: NodeJS.Signals) => void) => void;
};

/** Runs a program to its end. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd = projectRoot, env = {}, onLine }: ProgramOptions = {},
): Promise<ProgramResult> {
  const child = spawn(command, [...args], { cwd, env: { ...process.env, ...env } });
  const output = { out: "", err: "" };
  let read = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    output.out += chunk.toString();
    for (let end = output.out.indexOf("\n", read); end !== -1; end = output.out.indexOf("\n", read)) {
      onLine?.(output.out.slice(read, end), (signal = "SIGKILL") => child.kill(signal));
      read = end + 1;
    }
  });
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  return new Promise((resolve, reject) => child.on("error", reject).on("close", (code) => resolve({ code, ...output })));
}

/** Runs Sluice in its own process, as users do. */
export function runSluiceProcess(kubeconfig: string, args: readonly string[], options?: ProgramOptions): Promise<ProgramResult> {
  return runProgram(process.execPath, [join(projectRoot, "src", "cli", "main.ts"), ...args, "--kubeconfig", kubeconfig], options);
}

/** Runs the real Helm with all of its folders in `folder`. */
export function runHelmProcess(
  binary: string,
  folder: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ProgramResult> {
  const homes = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, HOME: folder };
  return runProgram(binary, args, { cwd: folder, env: { ...homes, ...env } });
}

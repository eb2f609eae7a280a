import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { readTextFile, writeFileAtomic } from "../../core/file/index.ts";

/** A program to run. Its standard error is passed through as it comes, because it may be asking the user to do something. */
type ExternalCommand = {
  readonly program: string;
  readonly args: readonly string[];
  /** Added to this process's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether it may use the terminal. */
  readonly interactive: boolean;
};

export type CommandResult = { readonly code: number; readonly stdout: string; readonly stderr: string };

/** The host that configuration is read on. Injected, so that nothing else reads its environment. */
export type Machine = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly folder: string;
  readonly hasTerminal: boolean;
  /** Between 0 and 1. */
  random(): number;
  read(path: string): Promise<string>;
  /** Replaces a file atomically. Only its owner can read it. */
  write(path: string, text: string): Promise<void>;
  /** Rejects only when the program cannot be started. */
  run(command: ExternalCommand): Promise<CommandResult>;
};

/** The host that this process runs on. */
export function thisMachine(): Machine {
  return {
    env: process.env,
    home: homedir(),
    folder: process.cwd(),
    hasTerminal: process.stdin.isTTY === true,
    random: () => randomInt(2 ** 32) / 2 ** 32,
    read: (path) => readTextFile(path),
    async write(path, text) {
      // Replaces the target of a symbolic link, not the link.
      const real = await realpath(path).catch(() => path);
      writeFileAtomic(real, text, { mode: 0o600, fsync: false });
    },
    run,
  };
}

function run({ program, args, env, interactive }: ExternalCommand): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: [interactive ? "inherit" : "ignore", "pipe", "pipe"] });
    const output: Buffer[] = [];
    const complaint: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => output.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => {
      complaint.push(chunk);
      process.stderr.write(chunk);
    });
    child.on("error", reject);
    child.on("close", (code) =>
      resolve({ code: code ?? 1, stdout: Buffer.concat(output).toString("utf8"), stderr: Buffer.concat(complaint).toString("utf8") }),
    );
  });
}

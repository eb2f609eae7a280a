import { completionScript, type Shell } from "../completion/script.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the completion script for a shell. */
export async function completion(shell: Shell, program: string, terminal: Terminal): Promise<number> {
  terminal.out(completionScript(shell, program));
  return exitCodes.ok;
}

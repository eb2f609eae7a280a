import type { Command } from "commander";
import { outlineOf } from "../completion/program-outline.ts";
import { completionScript, type Shell } from "../completion/script.ts";
import { exitCodes } from "../failure.ts";
import type { Terminal } from "../terminal.ts";

/** Prints the completion script for a shell. */
export async function completion(shell: Shell, program: Command, terminal: Terminal): Promise<number> {
  terminal.out(completionScript(shell, outlineOf(program)));
  return exitCodes.ok;
}

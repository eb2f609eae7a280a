import { addRenderCommand } from "./command-group/render.ts";
import { runCommandLine } from "./run-command-line.ts";
import { processTerminal } from "./terminal.ts";

/**
 * Runs a command line that begins with `render`. Rendering takes so little that making all other commands would be seen, so
 * this is a program of its own: the build makes one file of it, with its code compiled.
 */
export function run(args: readonly string[]): Promise<number> {
  return runCommandLine(addRenderCommand, args, processTerminal());
}

import { addRenderCommand } from "./command-group/render.ts";
import { runCommandLine } from "./run-command-line.ts";
import { processTerminal } from "./terminal.ts";

/**
 * Runs a command line that begins with `render`. Rendering is so short that declaring all other commands would be noticeable,
 * so this is a program of its own. The build bundles it into one file with a code cache.
 */
export function run(args: readonly string[]): Promise<number> {
  return runCommandLine(addRenderCommand, args, processTerminal());
}

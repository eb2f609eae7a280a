import { addRenderCommand } from "./command-group/render.ts";
import { addTemplateCommand } from "./command-group/template.ts";
import { runCommandLine, type AddCommands } from "./run-command-line.ts";
import { processTerminal } from "./terminal.ts";

/**
 * Runs a command line that begins with `render` or `template`. Rendering is so short that declaring all other commands would be noticeable,
 * so this is a program of its own. The build bundles it into one file with a code cache.
 */
export function run(args: readonly string[]): Promise<number> {
  return runCommandLine(args[0] === "template" ? addBoth : addRenderCommand, args, processTerminal());
}

/** The help of `template` compares its options with those of `render`. */
const addBoth: AddCommands = (program, terminal, runCommand) => {
  addRenderCommand(program, terminal, runCommand);
  addTemplateCommand(program, terminal, runCommand);
};

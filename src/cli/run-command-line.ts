import { Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, faultText } from "./failure.ts";
import { interruptible, type RunCommand } from "./interrupt.ts";
import type { Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Declares commands on a program. */
export type AddCommands = (program: Command, terminal: Terminal, runCommand: RunCommand) => void;

/** Runs one command line with these commands and returns the exit code. */
export async function runCommandLine(add: AddCommands, args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCodes.ok;
  const runCommand: RunCommand = async (work) => {
    code = await interruptible(work);
  };
  try {
    await buildProgram(add, terminal, runCommand).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(faultText(error));
    return exitCodeOf(error);
  }
}

/** Builds the program with these commands. */
export function buildProgram(add: AddCommands, terminal: Terminal, runCommand: RunCommand): Command {
  const program = new Command("sluice")
    .description("Deploys Kubernetes resources in the right order, in one cluster or a thousand, by hand or by event.")
    .exitOverride()
    // A `--version` after a command belongs to the command.
    .enablePositionalOptions()
    .configureOutput({ writeOut: (text) => terminal.out(text.trimEnd()), writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError("(see sluice --help)")
    .version(version, "-V, --version", "print the version");
  add(program, terminal, runCommand);
  return program;
}

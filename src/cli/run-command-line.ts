import { Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, faultText, UsageFault } from "./failure.ts";
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
    const program = buildProgram(add, terminal, runCommand);
    const unknown = unknownTopicIn(args, program);
    if (unknown !== undefined) throw new UsageFault(`find help for ${unknown}`, "there is no such command: sluice --help lists all");
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(faultText(error));
    return exitCodeOf(error);
  }
}

/** The command that `sluice help` is asked about, when there is none of that name: commander would print the help of all. */
function unknownTopicIn([first, ...path]: readonly string[], program: Command): string | undefined {
  if (first !== "help") return undefined;
  let command: Command | undefined = program;
  for (const name of path) {
    command = command.commands.find((each) => each.name() === name || each.aliases().includes(name));
    if (command === undefined) return path.join(" ");
  }
  return undefined;
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
  for (const command of program.commands) pointToOwnHelp(command, `sluice ${command.name()}`);
  return program;
}

/** A usage error names the help of the command that it is about. */
function pointToOwnHelp(command: Command, path: string): void {
  command.showHelpAfterError(`(see ${path} --help)`);
  for (const each of command.commands) pointToOwnHelp(each, `${path} ${each.name()}`);
}

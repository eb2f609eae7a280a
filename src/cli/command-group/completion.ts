import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand } from "../typed-command.ts";

/** Adds the command that prints a completion script, and the hidden one that the script calls. */
export function addCompletionCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  new TypedCommand(program.command("completion"))
    .description("print a script that completes commands, flags, and names of what is in clusters in a shell")
    .choiceArgument("<shell>", "the shell to complete in", ["bash", "zsh", "fish", "powershell"])
    .action((shell) => runCommand(async () => (await import("../command/completion.ts")).completion(shell, program.name(), terminal)));
  new TypedCommand(program.command("__complete", { hidden: true }))
    .requiredOption("--word <word>", "the word to complete")
    .argument("[words...]", "the words before it")
    .action((words, { word }) =>
      runCommand(async (signal) => (await import("../command/complete.ts")).complete(word, words, program, terminal, signal)),
    );
}

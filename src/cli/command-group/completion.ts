import { Argument, type Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands for whoever types them. */
export function addCompletionCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("completion")
    .description("print a script that completes commands, flags and names of releases in a shell")
    .addArgument(new Argument("<shell>", "the shell to complete in").choices(["bash", "zsh", "fish", "powershell"]))
    .action((shell) => runCommand(async () => (await import("../command/completion.ts")).completion(shell, program, terminal)));
  program
    .command("__complete", { hidden: true })
    .addArgument(new Argument("<what>").choices(["releases"]))
    .argument("[words...]")
    .action((_what, words: string[]) =>
      runCommand(async (signal) => (await import("../command/complete-releases.ts")).completeReleases(words, terminal, signal)),
    );
}

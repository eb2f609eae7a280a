import { Command, CommanderError } from "commander";
import { exitCodeOf, exitCodes, textOfFailure } from "./failure.ts";
import { addChartCommands } from "./group/chart.ts";
import { addControllerCommands } from "./group/controller.ts";
import { addEmbeddedCommands } from "./group/embedded.ts";
import { addEventCommands } from "./group/events.ts";
import { addFleetCommands } from "./group/fleet.ts";
import { addManifestCommands } from "./group/manifest.ts";
import { addReadingCommands } from "./group/reading.ts";
import { addRenderCommand } from "./group/rendering.ts";
import { addReleaseCommands } from "./group/release.ts";
import { addShellCommands } from "./group/shell.ts";
import { interruptible, type Perform } from "./interrupt.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Runs one command line; answers the exit code. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let code: number = exitCodes.ok;
  const perform: Perform = async (work) => {
    code = await interruptible(work);
  };
  try {
    await programAskedFor(args, terminal, perform).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(textOfFailure(error));
    return exitCodeOf(error);
  }
}

/** As much of the program as the arguments need: rendering takes so little that making all commands would be seen. */
function programAskedFor([name]: readonly string[], terminal: Terminal, perform: Perform): Command {
  if (name !== "render") return programFor(terminal, perform);
  const program = emptyProgram(terminal);
  addRenderCommand(program, terminal, perform);
  return program;
}

function emptyProgram(terminal: Terminal): Command {
  return (
    new Command("sluice")
      .description("Deploys Kubernetes resources in the right order, in one cluster or a thousand, by hand or by event.")
      .exitOverride()
      // --version after a command is the command's own.
      .enablePositionalOptions()
      .configureOutput({ writeOut: (text) => terminal.out(text.trimEnd()), writeErr: (text) => terminal.err(text.trimEnd()) })
      .showHelpAfterError("(see sluice --help)")
      .version(version, "-V, --version", "print the version")
  );
}

/** All commands with their flags. What a command needs is loaded when it is performed. */
export function programFor(terminal: Terminal, perform: Perform): Command {
  const program = emptyProgram(terminal);
  program
    .command("version")
    .description("print the version")
    .action(() => terminal.out(`sluice ${version}`));
  addReleaseCommands(program, terminal, perform);
  addReadingCommands(program, terminal, perform);
  addManifestCommands(program, terminal, perform);
  addRenderCommand(program, terminal, perform);
  addChartCommands(program, terminal, perform);
  addFleetCommands(program, terminal, perform);
  addEventCommands(program, terminal, perform);
  addControllerCommands(program, terminal, perform);
  addEmbeddedCommands(program, terminal, perform);
  addShellCommands(program, terminal, perform);
  return program;
}

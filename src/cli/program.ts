import type { Command } from "commander";
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
import type { Perform } from "./interrupt.ts";
import { programWith, runWith, type AddCommands } from "./run.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Runs one command line; answers the exit code. */
export function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  return runWith(addAll, args, terminal);
}

/** All commands with their flags. What a command needs is loaded when it is performed. */
export function programFor(terminal: Terminal, perform: Perform): Command {
  return programWith(addAll, terminal, perform);
}

const addAll: AddCommands = (program, terminal, perform) => {
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
};

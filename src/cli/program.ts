import { Option, type Command } from "commander";
import { addChartCommands } from "./command-group/chart.ts";
import { addControllerCommands } from "./command-group/controller.ts";
import { addEmbeddedCommands } from "./command-group/embedded.ts";
import { addEventCommands } from "./command-group/events.ts";
import { addFleetCommands } from "./command-group/fleet.ts";
import { addDiffCommands } from "./command-group/diff.ts";
import { addGetCommands } from "./command-group/get.ts";
import { addHelmCommands } from "./command-group/helm.ts";
import { addManifestCommands } from "./command-group/manifest.ts";
import { addReleaseQueryCommands } from "./command-group/release-query.ts";
import { addRenderCommand } from "./command-group/render.ts";
import { addReleaseCommands } from "./command-group/release.ts";
import { addCompletionCommands } from "./command-group/completion.ts";
import type { RunCommand } from "./interrupt.ts";
import { buildProgram, runCommandLine, type AddCommands } from "./run-command-line.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Runs one command line and returns the exit code. */
export function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  return runCommandLine(addAllCommands, args, terminal);
}

/** Declares all commands. The code of a command is loaded when it runs. */
export function sluiceProgram(terminal: Terminal, runCommand: RunCommand): Command {
  return buildProgram(addAllCommands, terminal, runCommand);
}

const addAllCommands: AddCommands = (program, terminal, runCommand) => {
  program
    .command("version")
    .description("print the version")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action(async ({ output }: { output: "text" | "json" }) => {
      if (output === "text") terminal.out(`sluice ${version}`);
      else await runCommand(async () => (await import("./command/version.ts")).printVersion(terminal));
    });
  addReleaseCommands(program, terminal, runCommand);
  addReleaseQueryCommands(program, terminal, runCommand);
  addDiffCommands(program, terminal, runCommand);
  addGetCommands(program, terminal, runCommand);
  addManifestCommands(program, terminal, runCommand);
  addRenderCommand(program, terminal, runCommand);
  addChartCommands(program, terminal, runCommand);
  addFleetCommands(program, terminal, runCommand);
  addEventCommands(program, terminal, runCommand);
  addControllerCommands(program, terminal, runCommand);
  addEmbeddedCommands(program, terminal, runCommand);
  addHelmCommands(program, terminal, runCommand);
  addCompletionCommands(program, terminal, runCommand);
};

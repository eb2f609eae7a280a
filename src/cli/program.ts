import { Option, type Command } from "commander";
import { addChartCommands } from "./command-group/chart.ts";
import { addControllerCommands } from "./command-group/controller.ts";
import { addDashboardCommand } from "./command-group/dashboard.ts";
import { addEmbeddedCommands } from "./command-group/embedded.ts";
import { addEventCommands } from "./command-group/events.ts";
import { addFleetCommands } from "./command-group/fleet.ts";
import { addDiffCommands } from "./command-group/diff.ts";
import { addGetCommands } from "./command-group/get.ts";
import { addHelmCommands } from "./command-group/helm.ts";
import { addManifestCommands } from "./command-group/manifest.ts";
import { addRehearseCommand } from "./command-group/rehearse.ts";
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
  return runCommandLine(commandsFor(args), args, terminal);
}

/** Declares all commands. The code of a command is loaded when it runs. */
export function sluiceProgram(terminal: Terminal, runCommand: RunCommand): Command {
  return buildProgram(declaring(groups), terminal, runCommand);
}

/** Commands that are declared together, by their names and aliases. */
type CommandGroup = { readonly names: readonly string[]; readonly add: AddCommands };

/** The help of each shows what it has beyond the command that it stands for. */
const helmNames = ["install", "upgrade", "uninstall", "un", "del", "template"];

const groups: readonly CommandGroup[] = [
  { names: ["version"], add: addVersionCommand },
  { names: ["plan", "deploy", "converge", "rollback", "delete", "test", ...helmNames], add: addReleaseCommands },
  { names: ["rehearse"], add: addRehearseCommand },
  { names: ["list", "ls", "history", "hist", "status", "why", "timeline"], add: addReleaseQueryCommands },
  { names: ["diff"], add: addDiffCommands },
  { names: ["get"], add: addGetCommands },
  { names: ["apply", "check", "lint"], add: addManifestCommands },
  { names: ["render", ...helmNames], add: addRenderCommand },
  { names: ["repo", "dependency", "dep", "dependencies", "pull", "fetch", "verify", "show", "inspect"], add: addChartCommands },
  { names: ["register", "deregister", "generate", "redeploy", "show", "inspect"], add: addFleetCommands },
  { names: ["events"], add: addEventCommands },
  { names: ["controller", "agent", "__worker"], add: addControllerCommands },
  { names: ["cluster", "demo"], add: addEmbeddedCommands },
  { names: ["dashboard"], add: addDashboardCommand },
  { names: helmNames, add: addHelmCommands },
  // These tell of all the others.
  { names: [], add: addCompletionCommands },
];

/**
 * Declares what a command line can mean: to declare all takes longer than many a command runs. All are declared for a name that
 * is not listed, since what is said of it may name any of them, and for an option in front of the name.
 */
function commandsFor([name = ""]: readonly string[]): AddCommands {
  const meant = groups.filter(({ names }) => names.includes(name));
  return declaring(meant.length === 0 ? groups : meant);
}

function declaring(some: readonly CommandGroup[]): AddCommands {
  return (program, terminal, runCommand) => {
    for (const { add } of some) add(program, terminal, runCommand);
  };
}

function addVersionCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("version")
    .description("print the version")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action(async ({ output }: { output: "text" | "json" }) => {
      if (output === "text") terminal.out(`sluice ${version}`);
      else await runCommand(async () => (await import("./command/version.ts")).printVersion(terminal));
    });
}

import { Option, type Command } from "commander";
import { addReleaseArgument, addClusterOptions } from "../shared-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that tell of releases and change nothing. */
export function addReleaseQueryCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addList(program, terminal, runCommand);
  addHistory(program, terminal, runCommand);
  addStatus(program, terminal, runCommand);
  addWhy(program, terminal, runCommand);
}

function outputOption(choices: readonly [string, ...string[]]): Option {
  return new Option("-o, --output <format>", "how to tell of it").choices(choices).default(choices[0]);
}

function addList(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(program.command("list"), "the namespace to list")
    .description("list the releases of a namespace, each with its latest revision")
    .addOption(new Option("-A, --all-namespaces", "list those of all namespaces").default(false).conflicts("namespace"))
    .addOption(outputOption(["table", "json", "yaml"]))
    .action((options) => runCommand(async (signal) => (await import("../command/list.ts")).listReleases(options, terminal, signal)));
}

function addHistory(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(addReleaseArgument(program.command("history")), "the namespace of the release")
    .description("list the revisions of a release")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/history.ts")).history(name, options, terminal, signal)),
    );
}

function addStatus(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(addReleaseArgument(program.command("status")), "the namespace of the release")
    .description("say how a release and each of its objects are doing; exit code 1 unless it is deployed and all are ready")
    .addOption(outputOption(["text", "json", "yaml"]))
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/status.ts")).status(name, options, terminal, signal)),
    );
}

function addWhy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(addReleaseArgument(program.command("why")), "the namespace of the release")
    .description("say why a release waits, or one object of it, down to the first cause")
    .argument("[kind/name]", "the object to ask about: deployment/web, deploy/web (default: all that waits)")
    .addOption(outputOption(["text", "json"]))
    .action((name: string, object: string | undefined, options) =>
      runCommand(async (signal) => (await import("../command/why.ts")).why(name, object, options, terminal, signal)),
    );
}

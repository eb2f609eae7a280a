import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { addClusterOptions, addReleaseArgument, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands that read releases and change nothing. */
export function addReleaseQueryCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addList(program, terminal, runCommand);
  addHistory(program, terminal, runCommand);
  addStatus(program, terminal, runCommand);
  addWhy(program, terminal, runCommand);
}

export type ListFlags = OptionsOf<typeof declareList>;

function declareList(program: Command) {
  return addClusterOptions(new TypedCommand(program.command("list")), "the namespace to list")
    .description("list the releases of a namespace, each with its latest revision")
    .addOption(typedOption("-A, --all-namespaces", "list those of all namespaces").default(false).conflicts(["namespace"]))
    .addOption(outputOption(["table", "json", "yaml"]));
}

function addList(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareList(program).action((options) =>
    runCommand(async (signal) => (await import("../command/list.ts")).listReleases(options, terminal, signal)),
  );
}

export type HistoryFlags = OptionsOf<typeof declareHistory>;

function declareHistory(program: Command) {
  return addClusterOptions(addReleaseArgument(new TypedCommand(program.command("history"))), "the namespace of the release")
    .description("list the revisions of a release")
    .addOption(outputOption(["table", "json", "yaml"]));
}

function addHistory(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareHistory(program).action((name, options) =>
    runCommand(async (signal) => (await import("../command/history.ts")).history(name, options, terminal, signal)),
  );
}

export type StatusFlags = OptionsOf<typeof declareStatus>;

function declareStatus(program: Command) {
  return addClusterOptions(addReleaseArgument(new TypedCommand(program.command("status"))), "the namespace of the release")
    .description("say how a release and each of its objects are doing; exit code 1 unless it is deployed and all are ready")
    .addOption(outputOption(["text", "json", "yaml"]));
}

function addStatus(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareStatus(program).action((name, options) =>
    runCommand(async (signal) => (await import("../command/status.ts")).status(name, options, terminal, signal)),
  );
}

export type WhyFlags = OptionsOf<typeof declareWhy>;

function declareWhy(program: Command) {
  return addClusterOptions(addReleaseArgument(new TypedCommand(program.command("why"))), "the namespace of the release")
    .description("say why a release waits, or one object of it, down to the first cause")
    .argument("[kind/name]", "the object to ask about: deployment/web, deploy/web (default: all that waits)")
    .addOption(outputOption(["text", "json"]));
}

function addWhy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareWhy(program).action((name, object, options) =>
    runCommand(async (signal) => (await import("../command/why.ts")).why(name, object, options, terminal, signal)),
  );
}

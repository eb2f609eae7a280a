import type { Command } from "commander";
import { refuseGetFlags } from "../helm/refused-flags.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseRevisionOrLatest } from "../parse-argument.ts";
import { addReleasePlaceOptions, addReleaseArgument, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds `get` and its subcommands, which print what the record of a release says, as Helm does. */
export function addGetCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const get = program.command("get").description("print what the record of a release says: its values, manifest, hooks, notes or metadata");
  declareGetValues(get).action((name, options) =>
    runCommand(async (signal) => (await import("../command/get.ts")).getValues(name, options, terminal, signal)),
  );
  declareGet(get, "manifest", "print the manifests of a revision, hooks apart").action((name, options) =>
    runCommand(async (signal) => (await import("../command/get.ts")).getManifest(name, options, terminal, signal)),
  );
  declareGet(get, "hooks", "print the hooks of a revision").action((name, options) =>
    runCommand(async (signal) => (await import("../command/get.ts")).getHooks(name, options, terminal, signal)),
  );
  declareGet(get, "notes", "print the notes of a revision's chart").action((name, options) =>
    runCommand(async (signal) => (await import("../command/get.ts")).getNotes(name, options, terminal, signal)),
  );
  declareGetMetadata(get).action((name, options) =>
    runCommand(async (signal) => (await import("../command/get.ts")).getMetadata(name, options, terminal, signal)),
  );
  const all = declareGet(get, "all", "print all of that");
  refuseGetFlags(all.command);
  all.action((name, options) => runCommand(async (signal) => (await import("../command/get.ts")).getAll(name, options, terminal, signal)));
}

export type GetFlags = OptionsOf<typeof declareGet>;

function declareGet(get: Command, topic: string, help: string) {
  return addReleasePlaceOptions(addReleaseArgument(new TypedCommand(get.command(topic))), "the namespace of the release")
    .description(help)
    .addOption(
      typedOption("--revision <number>", "of which revision; 0 is the latest").argParser(parseRevisionOrLatest).absent("the latest"),
    );
}

export type GetValuesFlags = OptionsOf<typeof declareGetValues>;

function declareGetValues(get: Command) {
  return declareGet(get, "values", "print the values that a revision was given")
    .flag("-a, --all", "the values that it was rendered with, the chart's defaults included")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type GetMetadataFlags = OptionsOf<typeof declareGetMetadata>;

function declareGetMetadata(get: Command) {
  return declareGet(get, "metadata", "print what a revision is: its chart, labels, status and time").addOption(
    outputOption(["table", "json", "yaml"]),
  );
}

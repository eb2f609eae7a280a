import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseRevision } from "../parse-argument.ts";
import {
  addReleasePlaceOptions,
  addPlanOptions,
  addReleaseArgument,
  detailedExitCodeOption,
  outputOption,
  revisionHelp,
} from "../shared-options.ts";
import { allowSubcommands } from "../subcommands.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addProposalOptions } from "./release.ts";

/** Adds `diff` and its subcommands, whose names and arguments are those of Helm's plugin. */
export function addDiffCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const diff = program.command("diff");
  // `diff live` is `diff` for a release that is called like one of the subcommands.
  for (const command of [diff, diff.command("live")])
    declareDiffLive(command).action((name, options) =>
      runCommand(async (signal) => (await import("../command/diff.ts")).diffLive(name, options, terminal, signal)),
    );
  declareDiffRevision(diff).action((name, from, to, options) =>
    runCommand(async (signal) => (await import("../command/diff.ts")).diffRevision(name, from, to, options, terminal, signal)),
  );
  declareDiffRelease(diff).action((name, other, options) =>
    runCommand(async (signal) => (await import("../command/diff.ts")).diffRelease(name, other, options, terminal, signal)),
  );
  declareDiffRollback(diff).action((name, to, options) =>
    runCommand(async (signal) => (await import("../command/diff-proposal.ts")).diffRollback(name, to, options, terminal, signal)),
  );
  declareDiffUpgrade(diff).action((name, sources, options) =>
    runCommand(async (signal) => (await import("../command/diff-proposal.ts")).diffUpgrade(name, sources, options, terminal, signal)),
  );
  allowSubcommands(diff);
}

export type DiffOutputFlags = OptionsOf<typeof addDiffOutputOptions>;

function addDiffOutputOptions<A extends readonly unknown[], O>(command: TypedCommand<A, O>) {
  return command
    .addOption(outputOption(["text", "json"]))
    .addOption(detailedExitCodeOption())
    .flag("--detailed-exitcode", "the same, as Helm's plugin spells it");
}

export type DiffLiveFlags = OptionsOf<typeof declareDiffLive>;

function declareDiffLive(command: Command) {
  const named = addReleasePlaceOptions(addReleaseArgument(new TypedCommand(command)), "the namespace of the release");
  return addDiffOutputOptions(named)
    .description("show what lives in the cluster otherwise than the record of a release says, and what is gone")
    .addOption(typedOption("--revision <number>", "the revision to compare with").argParser(parseRevision).absent("the latest"));
}

export type DiffRevisionFlags = OptionsOf<typeof declareDiffRevision>;

function declareDiffRevision(diff: Command) {
  const command = addReleaseArgument(new TypedCommand(diff.command("revision")))
    .parsedArgument("<revision>", "the revision to compare", parseRevision)
    .parsedArgument("[other]", "the one to compare it with (default: the latest)", parseRevision);
  return addDiffOutputOptions(addReleasePlaceOptions(command, "the namespace of the release"))
    .description("show what has changed between two revisions of a release")
    .addOption(noHooksOption());
}

export type DiffReleaseFlags = OptionsOf<typeof declareDiffRelease>;

function declareDiffRelease(diff: Command) {
  const command = addReleaseArgument(new TypedCommand(diff.command("release"))).argument(
    "<other>",
    "the other release; either may be NAMESPACE/NAME",
  );
  return addDiffOutputOptions(addReleasePlaceOptions(command, "the namespace of the releases"))
    .description("show in what two releases differ, such as of staging and of production")
    .addOption(noHooksOption());
}

export type DiffRollbackFlags = OptionsOf<typeof declareDiffRollback>;

function declareDiffRollback(diff: Command) {
  const command = addReleaseArgument(new TypedCommand(diff.command("rollback"))).parsedArgument("[revision]", revisionHelp, parseRevision);
  return addDiffOutputOptions(addPlanOptions(addReleasePlaceOptions(command, "the namespace of the release"))).description(
    "show what a rollback would change",
  );
}

export type DiffUpgradeFlags = OptionsOf<typeof declareDiffUpgrade>;

function declareDiffUpgrade(diff: Command) {
  return addDiffOutputOptions(addProposalOptions(diff.command("upgrade")))
    .description("show what a deploy would change; sluice plan also shows in which order")
    .flag("--install", "a release that is not there is compared with nothing, as it is in any case")
    .flag("--allow-unreleased", "the same");
}

function noHooksOption() {
  return typedOption("--no-hooks", "leave hooks out");
}

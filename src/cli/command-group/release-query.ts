import type { Command } from "commander";
import { addStatusFlags } from "../helm/refused-flags.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseHistoryMax, parseRevision } from "../parse-argument.ts";
import { addReleasePlaceOptions, addReleaseArgument, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands that read releases and change nothing. */
export function addReleaseQueryCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addList(program, terminal, runCommand);
  addHistory(program, terminal, runCommand);
  addStatus(program, terminal, runCommand);
  addWhy(program, terminal, runCommand);
  addTimeline(program, terminal, runCommand);
}

export type ListFlags = OptionsOf<typeof declareList>;

function declareList(program: Command) {
  return addReleasePlaceOptions(new TypedCommand(program.command("list").alias("ls")), "the namespace to list")
    .description("list the releases of a namespace, each with its latest revision")
    .addOption(typedOption("-A, --all-namespaces", "list those of all namespaces").default(false).conflicts(["namespace"]))
    .flag("-q, --short", "print the names alone")
    .option("-f, --filter <pattern>", "only releases whose name has this regular expression in it")
    .option("-l, --selector <selector>", "only releases whose record has these labels: team=shop,tier!=1")
    .flag("--deployed", "only deployed releases; the same holds for the other states, and several may be named")
    .flag("--failed", "only failed ones")
    .flag("--pending", "only those that are being deployed")
    .flag("--superseded", "only those whose latest revision was superseded, and none followed")
    .flag("--uninstalled", "only deleted ones whose history is kept")
    .flag("--uninstalling", "only those that are being deleted")
    .flag("-a, --all", "releases in all states, as without any of these")
    .flag("-d, --date", "the oldest change first, not by name")
    .flag("-r, --reverse", "the other way round")
    .addOption(typedOption("-m, --max <count>", "at most so many; 0 for no limit").argParser(parseHistoryMax).default(0, "no limit"))
    .addOption(typedOption("--offset <count>", "without so many of the first").argParser(parseHistoryMax).default(0))
    .addOption(typedOption("--no-headers", "a table without its heading"))
    .option("--time-format <layout>", "how to write times, as a layout of Go: 2006-01-02 15:04:05 (default: RFC 3339, UTC)")
    .addOption(outputOption(["table", "json", "yaml"]));
}

function addList(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareList(program).action((options) =>
    runCommand(async (signal) => (await import("../command/list.ts")).listReleases(options, terminal, signal)),
  );
}

export type HistoryFlags = OptionsOf<typeof declareHistory>;

function declareHistory(program: Command) {
  return addReleasePlaceOptions(
    addReleaseArgument(new TypedCommand(program.command("history").alias("hist"))),
    "the namespace of the release",
  )
    .description("list the revisions of a release")
    .addOption(
      typedOption("--max <count>", "the latest ones, at most so many; 0 for no limit").argParser(parseHistoryMax).default(0, "no limit"),
    )
    .addOption(outputOption(["table", "json", "yaml"]));
}

function addHistory(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareHistory(program).action((name, options) =>
    runCommand(async (signal) => (await import("../command/history.ts")).history(name, options, terminal, signal)),
  );
}

export type StatusFlags = OptionsOf<typeof declareStatus>;

function declareStatus(program: Command) {
  const command = program.command("status");
  addStatusFlags(command);
  return addReleasePlaceOptions(addReleaseArgument(new TypedCommand(command)), "the namespace of the release")
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
  return addReleasePlaceOptions(
    new TypedCommand(program.command("why")),
    "the namespace of the release, or of the Profile or ClusterSummary",
  )
    .description("say why a release waits, or something of a fleet, down to the first cause and what to do")
    .argument(
      "<subject>",
      "a release; or of a fleet: ClusterProfile/NAME, Profile/NAME, EventTrigger/NAME, EventSource/NAME, ClusterSummary/NAME",
    )
    .argument("[kind/name]", "of a release, the object to ask about: deployment/web, deploy/web (default: all that waits)")
    .option("--cluster <name>", "of a fleet, only the chains through this cluster: east, fleet/east")
    .addOption(outputOption(["text", "json", "yaml"]));
}

function addWhy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareWhy(program).action((name, object, options) =>
    runCommand(async (signal) => (await import("../command/why.ts")).why(name, object, options, terminal, signal)),
  );
}

export type TimelineFlags = OptionsOf<typeof declareTimeline>;

function declareTimeline(program: Command) {
  return addReleasePlaceOptions(addReleaseArgument(new TypedCommand(program.command("timeline"))), "the namespace of the release")
    .description("show where the time of a deploy went: a bar for each object, the critical path and the longest waits")
    .parsedArgument("[revision]", "the revision whose deploy is shown (default: the latest recording)", parseRevision)
    .addOption(typedOption("--compare <revision>", "say what became slower and faster since that revision").argParser(parseRevision))
    .option("--cluster <name>", "of a fleet: how the profile of that name was deployed to this cluster: east, fleet/east")
    .option("--html <file>", "write a page that needs nothing else, to be attached to a ticket")
    .addOption(outputOption(["text", "json", "yaml"]));
}

function addTimeline(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareTimeline(program).action((name, revision, options) =>
    runCommand(async (signal) => (await import("../command/timeline.ts")).timeline(name, revision, options, terminal, signal)),
  );
}

import { Option, type Command } from "commander";
import { addClusterOptions } from "../shared-options.ts";
import { parseProfileFilter, usageKinds } from "../fleet/profile-filter.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The parts of `show` that tell of a fleet; charts have begun it. */
export function addShowFleetCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const show = program.commands.find((command) => command.name() === "show") ?? program.command("show");
  show.description("show what a chart says of itself, or what a fleet has");
  addShowClusters(show, terminal, runCommand);
  addShowAddons(show, terminal, runCommand);
  addShowUsage(show, terminal, runCommand);
  addShowEvents(show, terminal, runCommand);
  addShowDryRun(show, terminal, runCommand);
}

function addShowClusters(show: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(show.command("clusters"), "only the clusters of this namespace", "all")
    .description("list the clusters of the fleet")
    .addOption(outputOption("table", "json", "yaml"))
    .action((options) => runCommand(async (signal) => (await import("../command/fleet.ts")).showClusters(options, terminal, signal)));
}

function addShowAddons(show: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(show.command("addons"), "only what is in the clusters of this namespace", "all")
    .description("list what profiles have deployed in the clusters of the fleet")
    .option("--cluster <name>", "only what is in clusters of this name")
    .addOption(profileOption())
    .option("--helm-charts", "only releases of charts", false)
    .option("--resources", "only resources", false)
    .addOption(outputOption("table", "wide", "json", "yaml"))
    .action((options) => runCommand(async (signal) => (await import("../command/show-fleet.ts")).showAddons(options, terminal, signal)));
}

function addShowUsage(show: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(show.command("usage"), "only what is in this namespace", "all")
    .description("list the clusters that each profile matches, and those in which ConfigMaps and Secrets are used")
    .addOption(new Option("--kind <kind>", "only what is of this kind").choices(usageKinds))
    .option("--name <name>", "only what is called so; exit code 1 when there is nothing")
    .addOption(outputOption("table", "json", "yaml"))
    .action((options) => runCommand(async (signal) => (await import("../command/show-fleet.ts")).showUsage(options, terminal, signal)));
}

function addShowEvents(show: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(show.command("events"), "only what concerns the clusters of this namespace", "all")
    .description("list what failed and what is worth knowing, of event sources, triggers, profiles and clusters; newest last")
    .option("--cluster <name>", "only what concerns clusters of this name")
    .option("--failed", "only failures", false)
    .addOption(outputOption("table", "json", "yaml"))
    .action((options) => runCommand(async (signal) => (await import("../command/show-fleet.ts")).showEvents(options, terminal, signal)));
}

function addShowDryRun(show: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(show.command("dryrun"), "only what would change in the clusters of this namespace", "all")
    .description("list what profiles in DryRun mode would change")
    .option("--cluster <name>", "only what would change in clusters of this name")
    .addOption(profileOption())
    .addOption(new Option("--raw-diff", "what would change inside each object, as unified diffs").default(false))
    .addOption(outputOption("table", "json", "yaml"))
    .action((options) => runCommand(async (signal) => (await import("../command/show-fleet.ts")).showDryRun(options, terminal, signal)));
}

/** Asks that what is deployed is deployed again. */
export function addRedeployCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const redeploy = program.command("redeploy").description("ask that profiles are deployed again, though nothing has changed");
  addClusterOptions(redeploy.command("cluster"), "the namespace of the cluster")
    .description("ask that all profiles of a cluster, or one of them, are deployed to it again; no hook runs for what is there already")
    .argument("[name]", "the name of the cluster in the fleet")
    .option("--cluster <name>", "the name of the cluster, in sveltosctl's manner")
    .addOption(new Option("--cluster-type <type>", "which one, where there are clusters of both types").choices(["Capi", "Sveltos"]))
    .addOption(profileOption())
    .addOption(outputOption("text", "json", "yaml"))
    .action((name: string | undefined, options) =>
      runCommand(async (signal) => (await import("../command/redeploy.ts")).redeployCluster(name, options, terminal, signal)),
    );
}

function profileOption(): Option {
  return new Option("--profile <profile>", "only this profile: ClusterProfile/NAME, Profile/NAME, or a name alone").argParser(
    parseProfileFilter,
  );
}

function outputOption(...choices: readonly [string, ...string[]]): Option {
  return new Option("-o, --output <format>", "how to tell of it").choices(choices).default(choices[0]);
}

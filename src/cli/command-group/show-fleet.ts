import type { Command } from "commander";
import { parseProfileFilter, usageKinds } from "../fleet/parse-profile-filter.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseDurationFlag } from "../parse-argument.ts";
import { addClusterOptions, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the subcommands of `show` that are about a fleet, beside those about a chart. */
export function addShowFleetCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const show = program.commands.find((command) => command.name() === "show") ?? program.command("show");
  show.description("show what a chart says of itself, or what a fleet has");
  declareShowClusters(show).action((options) =>
    runCommand(async (signal) => (await import("../command/fleet.ts")).showClusters(options, terminal, signal)),
  );
  declareShowAddons(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-fleet.ts")).showAddons(options, terminal, signal)),
  );
  declareShowResources(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-resources.ts")).showResources(options, terminal, signal)),
  );
  declareShowUsage(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-fleet.ts")).showUsage(options, terminal, signal)),
  );
  declareShowAdminRbac(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-fleet.ts")).showAdminRbac(options, terminal, signal)),
  );
  declareShowEvents(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-events.ts")).showEvents(options, terminal, signal)),
  );
  declareShowDryRun(show).action((options) =>
    runCommand(async (signal) => (await import("../command/show-fleet.ts")).showDryRun(options, terminal, signal)),
  );
}

export type ShowClustersFlags = OptionsOf<typeof declareShowClusters>;

function declareShowClusters(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("clusters")), "only the clusters of this namespace", "all")
    .description("list the clusters of the fleet")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type ShowAddonsFlags = OptionsOf<typeof declareShowAddons>;

function declareShowAddons(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("addons")), "only what is in the clusters of this namespace", "all")
    .description("list what profiles have deployed in the clusters of the fleet")
    .option("--cluster <name>", "only what is in clusters of this name")
    .addOption(profileOption())
    .flag("--helm-charts", "only releases of charts")
    .flag("--resources", "only resources")
    .addOption(outputOption(["table", "wide", "json", "yaml"]));
}

export type ShowResourcesFlags = OptionsOf<typeof declareShowResources>;

function declareShowResources(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("resources")), "only what is in the clusters of this namespace", "all")
    .description("list the objects that profiles have deployed in the clusters of the fleet, and how each is doing there")
    .option("--cluster <name>", "only what is in clusters of this name: east, fleet/east")
    .addOption(profileOption())
    .flag("--failed", "only what is not ready")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type ShowUsageFlags = OptionsOf<typeof declareShowUsage>;

function declareShowUsage(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("usage")), "only what is in this namespace", "all")
    .description("list the clusters that each profile matches, and those in which ConfigMaps and Secrets are used")
    .addOption(typedOption("--kind <kind>", "only what is of this kind").choices(usageKinds))
    .option("--name <name>", "only what is called so; exit code 1 when there is nothing")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type ShowAdminRbacFlags = OptionsOf<typeof declareShowAdminRbac>;

function declareShowAdminRbac(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("admin-rbac")), "only what is granted in the clusters of this namespace", "all")
    .description("list what RoleRequests let tenants do in the clusters of the fleet")
    .option("--cluster <name>", "only what is granted in clusters of this name: east, fleet/east")
    .option("--serviceAccountName <name>", "only what is granted to ServiceAccounts of this name")
    .option("--serviceAccountNamespace <namespace>", "only what is granted to ServiceAccounts of this namespace")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type ShowEventsFlags = OptionsOf<typeof declareShowEvents>;

function declareShowEvents(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("events")), "only what concerns the clusters of this namespace", "all")
    .description("list what is wrong now, of event sources, triggers, profiles and clusters: a line for each cause, newest last")
    .option("--cluster <name>", "only what concerns clusters of this name: east, fleet/east")
    .addOption(profileOption())
    .flag("--all", "also what is over, and other things worth knowing, as far as Events tell of it")
    .addOption(typedOption("--since <duration>", "only what was reported in this time (90s, 10m, 1h30m)").argParser(parseDurationFlag))
    .flag("--failed", "only failures")
    .flag("-w, --watch", "go on with a line for whatever changes, until Ctrl-C")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export type ShowDryRunFlags = OptionsOf<typeof declareShowDryRun>;

function declareShowDryRun(show: Command) {
  return addClusterOptions(new TypedCommand(show.command("dryrun")), "only what would change in the clusters of this namespace", "all")
    .description("list what profiles in DryRun mode would change")
    .option("--cluster <name>", "only what would change in clusters of this name")
    .addOption(profileOption())
    .flag("--raw-diff", "what would change inside each object, as unified diffs")
    .addOption(outputOption(["table", "json", "yaml"]));
}

export function profileOption() {
  return typedOption("--profile <profile>", "only this profile: ClusterProfile/NAME, Profile/NAME, or a name alone").argParser(
    parseProfileFilter,
  );
}

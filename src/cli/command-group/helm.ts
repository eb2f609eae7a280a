import { InvalidArgumentError, type Command } from "commander";
import { addReuseOptions, chartHelp } from "../chart/chart-options.ts";
import { addHelmDeployOptions, addNameOptions, helmGroup, waitStrategies } from "../helm/helm-options.ts";
import { readPflagArguments } from "../pflag-arguments.ts";
import { showOwnOptions } from "../helm/show-own-options.ts";
import type { RunCommand } from "../interrupt.ts";
import {
  addReleasePlaceOptions,
  addDeletionOptions,
  addLimitOptions,
  descriptionOption,
  outputOption,
  recordingOption,
  releaseHelp,
  takeOverPendingOption,
} from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addTemplateCommand } from "./template.ts";

/** Adds Helm's commands. Each stands for one of Sluice's, and does with it what Helm's does. */
export function addHelmCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addInstall(program, terminal, runCommand);
  addUpgrade(program, terminal, runCommand);
  addUninstall(program, terminal, runCommand);
  addTemplateCommand(program, terminal, runCommand);
}

export type InstallFlags = OptionsOf<typeof declareInstall>;

function declareInstall(program: Command) {
  const command = new TypedCommand(program.command("install").usage("[options] [name] <chart>").helpGroup(helmGroup));
  return addNameOptions(addHelmDeployOptions(command))
    .description("install a chart under a name that is not in use, as helm install does: sluice deploy for new releases")
    .argument("[name]", releaseHelp)
    .argument("[chart]", chartHelp)
    .flag("--replace", "go on with a name whose release failed or was deleted");
}

function addInstall(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const install = declareInstall(program);
  showOwnOptions(install.command, "deploy");
  install.action((first, second, options) =>
    runCommand(async (signal) => (await import("../command/install.ts")).install(first, second, options, terminal, signal)),
  );
}

export type UpgradeFlags = OptionsOf<typeof declareUpgrade>;

function declareUpgrade(program: Command) {
  return addReuseOptions(addHelmDeployOptions(new TypedCommand(program.command("upgrade").helpGroup(helmGroup))))
    .description("upgrade a release that is there, as helm upgrade does: sluice deploy for existing releases, and with --install for any")
    .argument("<release>", releaseHelp)
    .argument("<chart>", chartHelp)
    .flag("-i, --install", "install it when it is not there")
    .flag("--cleanup-on-fail", "with --rollback-on-failure only, which does it anyway");
}

function addUpgrade(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const upgrade = declareUpgrade(program);
  showOwnOptions(upgrade.command, "deploy");
  upgrade.action((release, chart, options) =>
    runCommand(async (signal) => (await import("../command/install.ts")).upgrade(release, chart, options, terminal, signal)),
  );
}

export type UninstallFlags = OptionsOf<typeof declareUninstall>;

function declareUninstall(program: Command) {
  const command = program.command("uninstall").aliases(["del", "un"]).helpGroup(helmGroup);
  readPflagArguments(command, { "--wait": "watcher" });
  return addDeletionOptions(addLimitOptions(addReleasePlaceOptions(new TypedCommand(command))))
    .description("delete releases, as helm uninstall does: sluice delete for each of them")
    .argument("<release...>", "the names of the releases; their namespace is that of -n, or of the context")
    .addOption(takeOverPendingOption())
    .addOption(recordingOption())
    .addOption(outputOption(["text", "ndjson"]))
    .addOption(descriptionOption())
    .flag("--ignore-not-found", "a release that is not there is no failure")
    .flag("--dry-run", "show what would be deleted, and delete nothing")
    .addOption(typedOption("--cascade <how>", "dependents are deleted in any case: background or foreground").argParser(parseCascade))
    .addOption(typedOption("--wait [strategy]", "until it is gone is waited for in any case").choices(waitStrategies));
}

function parseCascade(text: string): string {
  if (text === "background" || text === "foreground") return text;
  if (text === "orphan") throw new InvalidArgumentError("the annotation werf.io/delete-propagation: Orphan keeps an object's dependents");
  throw new InvalidArgumentError("expected background or foreground");
}

function addUninstall(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const uninstall = declareUninstall(program);
  showOwnOptions(uninstall.command, "delete");
  uninstall.action((names, options) =>
    runCommand(async (signal) => (await import("../command/uninstall.ts")).uninstall(names, options, terminal, signal)),
  );
}

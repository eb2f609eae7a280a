import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import {
  addClusterOptions,
  addDeployOptions,
  addOperationOptions,
  addReleaseArgument,
  addReleasePlaceOptions,
  outputOption,
} from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { profileOption } from "./show-fleet.ts";

export type RedeployFlags = OptionsOf<typeof declareRedeploy>;

function declareRedeploy(redeploy: Command) {
  return addClusterOptions(new TypedCommand(redeploy.command("cluster")), "the namespace of the cluster")
    .description("ask that all profiles of a cluster, or one of them, are deployed to it again; no hook runs for what is there already")
    .argument("[cluster]", "the name of the cluster in the fleet")
    .option("--cluster <name>", "the name of the cluster, in sveltosctl's manner")
    .addOption(typedOption("--cluster-type <type>", "which one, where there are clusters of both types").choices(["Capi", "Sveltos"]))
    .addOption(profileOption())
    .addOption(outputOption(["text", "json", "yaml"]));
}

export type RedeployReleaseFlags = OptionsOf<typeof declareRedeployRelease>;

function declareRedeployRelease(redeploy: Command) {
  return addReleaseArgument(
    addOperationOptions(addDeployOptions(addReleasePlaceOptions(new TypedCommand(redeploy.command("release"))))),
  ).description("deploy the latest revision of a release again, as a new one; one that was interrupted is carried on");
}

/** Adds the commands that have a release deployed again, and the profiles of a cluster. */
export function addRedeployCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const redeploy = program.command("redeploy").description("deploy again what has not changed: a release, or the profiles of a cluster");
  declareRedeploy(redeploy).action((name, options) =>
    runCommand(async (signal) => (await import("../command/redeploy.ts")).redeployCluster(name, options, terminal, signal)),
  );
  declareRedeployRelease(redeploy).action((name, options) =>
    runCommand(async (signal) => (await import("../command/redeploy-release.ts")).redeployRelease(name, options, terminal, signal)),
  );
}

import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseClusterCount, parseNodeCount, parsePort, parseSpeedFactor } from "../parse-argument.ts";
import { addDashboardOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands that start embedded clusters. */
export function addEmbeddedCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareCluster(program).action((options) =>
    runCommand(async (signal) => (await import("../command/cluster.ts")).serveEmbeddedClusters(options, terminal, signal)),
  );
  addDashboardOptions(new TypedCommand(program.command("demo")))
    .description("deploy a database, its table, an app and its data to a fleet of embedded clusters, each when what it needs is healthy")
    .action((options) => runCommand(async (signal) => (await import("../command/demo.ts")).demo(terminal, signal, options)));
}

export type ServeClustersFlags = OptionsOf<typeof declareCluster>;

function declareCluster(program: Command) {
  return new TypedCommand(program.command("cluster"))
    .description("serve an embedded cluster over HTTPS on loopback until Ctrl-C")
    .requiredOption("--kubeconfig <file>", "where to write how to reach it; readable by its owner alone")
    .addOption(
      typedOption("--port <port>", "the port to listen on; of several clusters, of the first")
        .argParser(parsePort)
        .default(0, "any that is free"),
    )
    .addOption(typedOption("--clusters <count>", "how many clusters to serve, one context each").argParser(parseClusterCount).default(1))
    .addOption(typedOption("--nodes <count>", "how many nodes each cluster has").argParser(parseNodeCount).default(1))
    .addOption(
      typedOption("--authorization-mode <mode>", "who may do what: RBAC, or AlwaysAllow for everybody with credentials")
        .choices(["RBAC", "AlwaysAllow"])
        .default("RBAC"),
    )
    .option("--data <folder>", "keep everything in this folder, and go on from it; of several clusters, in a folder of it each")
    .flag("--fsync", "with --data: answer when a write is on the disk, so that it outlives a power cut and not only the process")
    .option("--behaviour <file>", "rules for how pods, volumes and load balancers turn out (docs/embedded-cluster.md)")
    .addOption(typedOption("--speed <factor>", "how fast the clusters' time runs").argParser(parseSpeedFactor).default(1));
}

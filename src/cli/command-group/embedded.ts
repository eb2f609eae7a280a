import { Option, type Command } from "commander";
import { parseClusterCount, parseSpeedFactor, parsePort } from "../parse-argument.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that bring a cluster with them. */
export function addEmbeddedCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addCluster(program, terminal, runCommand);
  addDemo(program, terminal, runCommand);
}

function addCluster(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("cluster")
    .description("serve an embedded cluster over HTTPS on loopback until Ctrl-C")
    .requiredOption("--kubeconfig <file>", "where to write how to reach it; readable by its owner alone")
    .addOption(
      new Option("--port <port>", "the port to listen on; of several clusters, of the first")
        .argParser(parsePort)
        .default(0, "any that is free"),
    )
    .option("--clusters <count>", "how many clusters to serve, one context each", parseClusterCount, 1)
    .option("--behaviour <file>", "rules for how pods, volumes and load balancers turn out (docs/embedded-cluster.md)")
    .option("--speed <factor>", "how fast the clusters' time runs", parseSpeedFactor, 1)
    .action((options) =>
      runCommand(async (signal) => (await import("../command/cluster.ts")).serveEmbeddedClusters(options, terminal, signal)),
    );
}

function addDemo(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("demo")
    .description("deploy a database, its table, an app and its data to a fleet of embedded clusters, each when what it needs is healthy")
    .action(() => runCommand(async (signal) => (await import("../command/demo.ts")).demo(terminal, signal)));
}

import { Option, type Command } from "commander";
import { count, factor, port } from "../argument.ts";
import type { Perform } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that bring a cluster with them. */
export function addEmbeddedCommands(program: Command, terminal: Terminal, perform: Perform): void {
  addCluster(program, terminal, perform);
  addDemo(program, terminal, perform);
}

function addCluster(program: Command, terminal: Terminal, perform: Perform): void {
  program
    .command("cluster")
    .description("serve an embedded cluster over HTTPS on loopback until Ctrl-C")
    .requiredOption("--kubeconfig <file>", "where to write how to reach it; readable by its owner alone")
    .addOption(
      new Option("--port <port>", "the port to listen on; of several clusters, of the first")
        .argParser(port)
        .default(0, "any that is free"),
    )
    .option("--clusters <count>", "how many clusters to serve, one context each", count, 1)
    .option("--behaviour <file>", "rules for how pods, volumes and load balancers turn out (docs/embedded-cluster.md)")
    .option("--speed <factor>", "how fast the clusters' time runs", factor, 1)
    .action((options) => perform(async (signal) => (await import("../command/cluster.ts")).cluster(options, terminal, signal)));
}

function addDemo(program: Command, terminal: Terminal, perform: Perform): void {
  program
    .command("demo")
    .description("deploy a database, its table, an app and its data to a fleet of embedded clusters, each when what it needs is healthy")
    .action(() => perform(async (signal) => (await import("../command/demo.ts")).demo(terminal, signal)));
}

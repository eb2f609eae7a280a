import { InvalidArgumentError, Option, type Command } from "commander";
import { addClusterOptions } from "../shared-options.ts";
import { addShowFleetCommands, addRedeployCommand } from "./show-fleet.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that bring clusters into a fleet, take them out, tell of them and of what is in them. */
export function addFleetCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRegister(program, terminal, runCommand);
  addDeregister(program, terminal, runCommand);
  addGenerate(program, terminal, runCommand);
  addRedeployCommand(program, terminal, runCommand);
  addShowFleetCommands(program, terminal, runCommand);
}

function addRegister(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("register")
    .description("bring a cluster into the fleet")
    .command("cluster")
    .description("make a SveltosCluster, and a Secret with the cluster's kubeconfig, in the management cluster")
    .argument("<name>", "the name of the cluster in the fleet")
    .requiredOption("--kubeconfig <file>", "the kubeconfig of the cluster to register")
    .addOption(new Option("--labels <labels>", "labels for selectors: env=prod,tier=1").argParser(parseLabels).default({}, "none"))
    .option("--management-kubeconfig <file>", "the kubeconfig of the management cluster (default: $KUBECONFIG, else ~/.kube/config)")
    .option("--context <name>", "the context of the management cluster")
    .option("-n, --namespace <name>", "where to put them; made when it is not there (default: the context's)")
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/fleet.ts")).registerCluster(name, options, terminal, signal)),
    );
}

function addDeregister(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const deregister = program.command("deregister").description("take a cluster out of the fleet");
  addClusterOptions(deregister.command("cluster"), "the namespace of the cluster")
    .description("delete the SveltosCluster and the Secret that register made")
    .argument("<name>", "the name of the cluster in the fleet")
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/fleet.ts")).deregisterCluster(name, options, terminal, signal)),
    );
}

function addGenerate(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  program
    .command("generate")
    .description("make what a fleet needs")
    .command("kubeconfig")
    .description("print a kubeconfig by which the cluster can be registered: a service account's, with its token")
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .addOption(new Option("-n, --namespace <name>", "the namespace of the service account").default("projectsveltos"))
    .addOption(new Option("--serviceaccount <name>", "the service account").default("projectsveltos"))
    .option("--create", "make the service account, with all rights in the cluster, where it is not there", false)
    .addOption(new Option("--expiration-seconds <seconds>", "for how long the token is good; at least 600").argParser(parseExpiration))
    .option("--service-account-token", "a token that never expires, kept in a Secret of the cluster", false)
    .option("--server <url>", "the address that the management cluster reaches it by (default: the kubeconfig's)")
    .action((options) => runCommand(async (signal) => (await import("../command/fleet.ts")).printKubeconfig(options, terminal, signal)));
}

function parseLabels(text: string): Readonly<Record<string, string>> {
  const pairs = text
    .split(",")
    .filter((pair) => pair !== "")
    .map((pair) => pair.split("="));
  if (pairs.every((pair) => pair.length === 2 && pair[0] !== "")) return Object.fromEntries(pairs) as Record<string, string>;
  throw new InvalidArgumentError("expected labels such as env=prod,tier=1");
}

function parseExpiration(text: string): number {
  if (/^\d{3,10}$/.test(text) && Number(text) >= 600) return Number(text);
  throw new InvalidArgumentError("expected a number of seconds, at least 600");
}

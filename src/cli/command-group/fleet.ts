import { InvalidArgumentError, type Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseLabels } from "../parse-argument.ts";
import { addClusterOptions } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addRedeployCommand } from "./redeploy.ts";
import { addShowFleetCommands } from "./show-fleet.ts";

/** Adds the commands that register clusters in a fleet, deregister them, and show what is deployed in them. */
export function addFleetCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRegister(program, terminal, runCommand);
  addDeregister(program, terminal, runCommand);
  addGenerate(program, terminal, runCommand);
  addRedeployCommand(program, terminal, runCommand);
  addShowFleetCommands(program, terminal, runCommand);
}

export type RegisterFlags = OptionsOf<typeof declareRegister>;

function declareRegister(register: Command) {
  return new TypedCommand(register.command("cluster"))
    .description("make a SveltosCluster, and a Secret with the cluster's kubeconfig, in the management cluster")
    .argument("<name>", "the name of the cluster in the fleet")
    .option("--kubeconfig <file>", "the kubeconfig of the cluster to register (default: $KUBECONFIG, else ~/.kube/config)")
    .option("--fleet-cluster-context <name>", "the context of the cluster to register (default, with --kubeconfig: its current one)")
    .addOption(typedOption("--labels <labels>", "labels for selectors: env=prod,tier=1 (default: those it has)").argParser(parseLabels))
    .flag("--allow-duplicate", "register the cluster also when it is in the fleet already, under another name")
    .option("--management-kubeconfig <file>", "the kubeconfig of the management cluster (default: $KUBECONFIG, else ~/.kube/config)")
    .option("--context <name>", "the context of the management cluster")
    .option("-n, --namespace <name>", "where to put them; made when it is not there (default: the context's)");
}

function addRegister(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const register = program.command("register").description("bring a cluster into the fleet");
  declareRegister(register).action((name, options) =>
    runCommand(async (signal) => (await import("../command/fleet.ts")).registerCluster(name, options, terminal, signal)),
  );
}

function addDeregister(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const deregister = program.command("deregister").description("take a cluster out of the fleet");
  addClusterOptions(new TypedCommand(deregister.command("cluster")), "the namespace of the cluster")
    .description("delete the SveltosCluster and the Secret that register made")
    .argument("<cluster>", "the name of the cluster in the fleet")
    .action((name, options) =>
      runCommand(async (signal) => (await import("../command/fleet.ts")).deregisterCluster(name, options, terminal, signal)),
    );
}

export type GenerateKubeconfigFlags = OptionsOf<typeof declareGenerateKubeconfig>;

function declareGenerateKubeconfig(generate: Command) {
  return new TypedCommand(generate.command("kubeconfig"))
    .description("print a kubeconfig by which the cluster can be registered: a service account's, with its token")
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .addOption(typedOption("-n, --namespace <name>", "the namespace of the service account").default("projectsveltos"))
    .addOption(typedOption("--serviceaccount <name>", "the service account").default("projectsveltos"))
    .flag("--create", "make the service account, with all rights in the cluster, where it is not there")
    .addOption(typedOption("--expiration-seconds <seconds>", "for how long the token is good; at least 600").argParser(parseExpiration))
    .flag("--service-account-token", "a token that never expires, kept in a Secret of the cluster")
    .option("--server <url>", "the address that the management cluster reaches it by (default: the kubeconfig's)");
}

function addGenerate(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const generate = program.command("generate").description("make what a fleet needs");
  declareGenerateKubeconfig(generate).action((options) =>
    runCommand(async (signal) => (await import("../command/fleet.ts")).printKubeconfig(options, terminal, signal)),
  );
}

function parseExpiration(text: string): number {
  if (/^\d{3,10}$/.test(text) && Number(text) >= 600) return Number(text);
  throw new InvalidArgumentError("expected a number of seconds, at least 600");
}

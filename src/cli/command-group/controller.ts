import { Option, type Command } from "commander";
import { parseListenAddress, parseReplicaCount } from "../parse-argument.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that run until they are ended: the management side of a fleet, and the managed one. */
export function addControllerCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const controller = addServiceOptions(program.command("controller"))
    .description("run the management side of a fleet: events, profiles and what they deploy, until it is ended")
    .addOption(
      new Option(
        "-n, --namespace <name>",
        "the namespace of the Leases by which replicas share the work, the same for all of them",
      ).default("projectsveltos"),
    )
    .option("--install-definitions", "install and update the definitions of its kinds first", false)
    .option("--beside-sveltos", "run although controllers of Sveltos run in the same management cluster", false)
    .action((options) => runCommand(async (signal) => (await import("../command/controller.ts")).controller(options, terminal, signal)));
  controller
    .command("manifests")
    .description("print what installs it in a management cluster, or with --agent an agent in a managed one")
    .addOption(new Option("-n, --namespace <name>", "the namespace to install it in").default("projectsveltos"))
    .option("--image <name>", "the image to run (docs/controller.md says how to build it)")
    .addOption(new Option("--replicas <count>", "how many controllers share the work (default: 2)").argParser(parseReplicaCount))
    .option("--agent", "print what installs an agent", false)
    .action((_, command: Command) =>
      runCommand(async () => (await import("../command/controller-manifests.ts")).controllerManifests(command.opts(), terminal)),
    );
  addServiceOptions(program.command("agent"))
    .description("run the managed side: evaluate events inside a managed cluster, until it is ended")
    .action((options) => runCommand(async (signal) => (await import("../command/agent.ts")).agent(options, terminal, signal)));
}

/** The flags of all that serves until it is ended. */
function addServiceOptions(command: Command): Command {
  return command
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config, else the pod's own)")
    .addOption(
      new Option("--metrics-address <address>", "where to serve /metrics, /healthz and /readyz: 127.0.0.1:8080, or :8080 for everybody")
        .argParser(parseListenAddress)
        .default(undefined, "nowhere"),
    )
    .addOption(
      new Option("--log-level <level>", "what is logged: this and all that is worse")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    );
}

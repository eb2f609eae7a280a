import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { parseHosts, parseListenAddress, parseReplicaCount } from "../parse-argument.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands that run until they are ended: the controller of a management cluster, and the agent of a managed one. */
export function addControllerCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const controller = declareController(program);
  controller.action((options) =>
    runCommand(async (signal) => (await import("../command/controller.ts")).controller(options, terminal, signal)),
  );
  declareManifests(controller.command).action((options) =>
    runCommand(async () => (await import("../command/controller-manifests.ts")).controllerManifests(options, terminal)),
  );
  addServiceOptions(new TypedCommand(program.command("agent")))
    .description("run the managed side: evaluate events inside a managed cluster, until it is ended")
    .action((options) => runCommand(async (signal) => (await import("../command/agent.ts")).agent(options, terminal, signal)));
  // What the controller starts for templates and scripts of others.
  new TypedCommand(program.command("__worker", { hidden: true })).action(() =>
    runCommand(async () => (await import("../command/worker.ts")).worker()),
  );
}

export type ControllerFlags = OptionsOf<typeof declareController>;

function declareController(program: Command) {
  return addServiceOptions(new TypedCommand(program.command("controller")))
    .description("run the management side of a fleet: events, profiles and what they deploy, until it is ended")
    .addOption(
      typedOption(
        "-n, --namespace <name>",
        "the namespace of the Leases by which replicas share the work, the same for all of them",
      ).default("projectsveltos"),
    )
    .flag("--install-definitions", "install and update the definitions of its kinds first")
    .addOption(
      typedOption(
        "--schema-hosts <hosts>",
        "where a chart's values.schema.json may fetch others from, beside the chart's own repository: host or host:port, with commas between",
      )
        .argParser(parseHosts)
        .default([], "none"),
    )
    .addOption(typedOption("--no-recording", "keep no recordings of what is deployed for sluice timeline"))
    .flag("--beside-sveltos", "run although controllers of Sveltos run in the same management cluster");
}

export type ControllerManifestsFlags = OptionsOf<typeof declareManifests>;

function declareManifests(controller: Command) {
  return new TypedCommand(controller.command("manifests"))
    .description("print what installs it in a management cluster, or with --agent an agent in a managed one")
    .addOption(typedOption("-n, --namespace <name>", "the namespace to install it in").default("projectsveltos"))
    .option("--image <name>", "the image to run (docs/controller.md says how to build it)")
    .addOption(typedOption("--replicas <count>", "how many controllers share the work (default: 2)").argParser(parseReplicaCount))
    .flag("--agent", "print what installs an agent");
}

export type ServiceFlags = OptionsOf<typeof addServiceOptions>;

/** Adds the options of every command that runs until it is ended. */
function addServiceOptions<A extends readonly unknown[], O>(command: TypedCommand<A, O>) {
  return command
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config, else the pod's own)")
    .addOption(
      typedOption("--metrics-address <address>", "where to serve /metrics, /healthz and /readyz: 127.0.0.1:8080, or :8080 for everybody")
        .argParser(parseListenAddress)
        .absent("nowhere"),
    )
    .addOption(
      typedOption("--log-level <level>", "what is logged: this and all that is worse")
        .choices(["debug", "info", "warn", "error"])
        .default("info"),
    );
}

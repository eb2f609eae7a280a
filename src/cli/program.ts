import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCodeOf, exitCodes, textOfFailure } from "./failure.ts";
import { interruptible } from "./interrupt.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Carries out the work of a command, which ends with an exit code. */
export type Perform = (work: (signal: AbortSignal) => Promise<number>) => Promise<void>;

/** Runs one command line; answers the exit code. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let code: number = exitCodes.ok;
  const perform: Perform = async (work) => {
    code = await interruptible(work);
  };
  try {
    await programFor(terminal, perform).parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(textOfFailure(error));
    return exitCodeOf(error);
  }
}

/** All commands with their flags. What a command needs is loaded when it is performed. */
export function programFor(terminal: Terminal, perform: Perform): Command {
  const program = new Command("sluice")
    .description("Deploys Kubernetes resources in the right order, in one cluster or a thousand, by hand or by event.")
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text.trimEnd()), writeErr: (text) => terminal.err(text.trimEnd()) })
    .showHelpAfterError("(see sluice --help)")
    .version(version, "-V, --version", "print the version");
  program
    .command("version")
    .description("print the version")
    .action(() => terminal.out(`sluice ${version}`));
  addCluster(program, terminal, perform);
  addApply(program, terminal, perform);
  addCheck(program, terminal, perform);
  addLint(program, terminal, perform);
  program
    .command("demo")
    .description("deploy examples/hello to an embedded cluster, and show it happen")
    .action(() => perform(async (signal) => (await import("./command/demo.ts")).demo(terminal, signal)));
  return program;
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
    .action((options) => perform(async (signal) => (await import("./command/cluster.ts")).cluster(options, terminal, signal)));
}

function addApply(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(reading(program.command("apply")))
    .description("apply manifests and wait until all is ready")
    .addOption(new Option("--embedded", "apply to a new embedded cluster that ends with the command").conflicts(["context", "kubeconfig"]))
    .addOption(new Option("--timeout <duration>", "how long to wait in all (90s, 10m, 1h30m)").argParser(duration).default(600_000, "10m"))
    .option("--no-wait", "do not wait until the objects are ready")
    .option("--force-conflicts", "take over fields that others own", false)
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "ndjson"]).default("text"))
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("./command/apply.ts")).apply(sources, options, terminal, signal)),
    );
}

function addCheck(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(reading(program.command("check")))
    .description("say how each object of the manifests is doing")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json", "yaml"]).default("text"))
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("./command/check.ts")).check(sources, options, terminal, signal)),
    );
}

function addLint(program: Command, terminal: Terminal, perform: Perform): void {
  reading(program.command("lint"))
    .description("say what is wrong with the order that manifests ask for, without a cluster")
    .option("-n, --namespace <name>", "the namespace of objects that name none")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("./command/lint.ts")).lint(sources, options, terminal, signal)),
    );
}

/** The argument that says which manifests are meant. */
function reading(command: Command): Command {
  return command.argument("<source...>", "files, folders, http(s) URLs, or - for standard input");
}

/** The flags that say which cluster is meant. */
function reaching(command: Command): Command {
  return command
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .option("-n, --namespace <name>", "the namespace of objects that name none");
}

function port(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= 65_535) return value;
  throw new InvalidArgumentError("expected a port between 0 and 65535; 0 takes any that is free");
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 100) return value;
  throw new InvalidArgumentError("expected a number from 1 to 100");
}

function factor(text: string): number {
  const value = Number(text);
  if (value > 0 && value <= 1000) return value;
  throw new InvalidArgumentError("expected a number above 0, at most 1000");
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

function duration(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)];
  const whole = parts.map(([part]) => part).join("") === text && parts.length > 0;
  if (whole) return parts.reduce((sum, [, number, unit]) => sum + Number(number) * units[unit!]!, 0);
  throw new InvalidArgumentError("expected a duration such as 90s, 10m or 1h30m");
}

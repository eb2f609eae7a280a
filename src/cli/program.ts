import { Command, CommanderError, InvalidArgumentError, Option } from "commander";
import { exitCodeOf, exitCodes, textOfFailure } from "./failure.ts";
import { interruptible } from "./interrupt.ts";
import { processTerminal, type Terminal } from "./terminal.ts";
import { version } from "./version.ts";

/** Runs one command line; answers the exit code. */
export async function run(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let code: number = exitCodes.ok;
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

  program
    .command("cluster")
    .description("serve an embedded cluster over HTTPS on loopback until Ctrl-C")
    .requiredOption("--kubeconfig <file>", "where to write how to reach it; readable by its owner alone")
    .option("--port <port>", "the port to listen on; of several clusters, of the first", port, 0)
    .option("--clusters <count>", "how many clusters to serve, one context each", count, 1)
    .option("--behaviour <file>", "rules for how pods, volumes and load balancers turn out (docs/embedded-cluster.md)")
    .option("--speed <factor>", "how fast the clusters' time runs", factor, 1)
    .action(async (options) => {
      const { cluster } = await import("./command/cluster.ts");
      code = await interruptible((signal) => cluster(options, terminal, signal));
    });

  reaching(program.command("apply"))
    .description("apply manifests and wait until all is ready")
    .argument("<source...>", "files, folders, http(s) URLs, or - for standard input")
    .addOption(new Option("--embedded", "apply to a new embedded cluster that ends with the command").conflicts(["context", "kubeconfig"]))
    .option("--timeout <duration>", "how long to wait in all (90s, 10m, 1h30m)", duration, 600_000)
    .option("--no-wait", "do not wait until the objects are ready")
    .option("--force-conflicts", "take over fields that others own", false)
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "ndjson"]).default("text"))
    .action(async (sources: string[], options) => {
      const { apply } = await import("./command/apply.ts");
      code = await interruptible((signal) => apply(sources, options, terminal, signal));
    });

  reaching(program.command("check"))
    .description("say how each object of the manifests is doing")
    .argument("<source...>", "files, folders, http(s) URLs, or - for standard input")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json", "yaml"]).default("text"))
    .action(async (sources: string[], options) => {
      const { check } = await import("./command/check.ts");
      code = await interruptible((signal) => check(sources, options, terminal, signal));
    });

  program
    .command("lint")
    .description("say what is wrong with the order that manifests ask for, without a cluster")
    .argument("<source...>", "files, folders, http(s) URLs, or - for standard input")
    .option("-n, --namespace <name>", "the namespace of objects that name none")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action(async (sources: string[], options) => {
      const { lint } = await import("./command/lint.ts");
      code = await interruptible((signal) => lint(sources, options, terminal, signal));
    });

  program
    .command("demo")
    .description("deploy examples/hello to an embedded cluster, and show it happen")
    .action(async () => {
      const { demo } = await import("./command/demo.ts");
      code = await interruptible((signal) => demo(terminal, signal));
    });

  try {
    await program.parseAsync(args, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    terminal.err(textOfFailure(error));
    return exitCodeOf(error);
  }
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

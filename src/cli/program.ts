import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
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
  addDeploy(program, terminal, perform);
  addRollback(program, terminal, perform);
  addDelete(program, terminal, perform);
  addTest(program, terminal, perform);
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

function addDeploy(program: Command, terminal: Terminal, perform: Perform): void {
  const command = working(deploying(reaching(reading(naming(program.command("deploy"))))))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .addOption(embedded("deploy"))
    .option("--create-namespace", "make the release's namespace when it is not there", false)
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false);
  command.action((name: string, sources: string[], options) =>
    perform(async (signal) => (await import("./command/deploy.ts")).deploy(name, sources, options, terminal, signal)),
  );
}

function addRollback(program: Command, terminal: Terminal, perform: Perform): void {
  working(deploying(reaching(naming(program.command("rollback")))))
    .description("bring a release back to an earlier revision")
    .addArgument(new Argument("[revision]", "the revision to go back to (default: the one that was deployed before)").argParser(revision))
    .action((name: string, to: number | undefined, options) =>
      perform(async (signal) => (await import("./command/rollback.ts")).rollback(name, to, options, terminal, signal)),
    );
}

function addDelete(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(naming(program.command("delete"))))
    .description("delete a release: the mirror image of its installation")
    .option("--delete-data", dataHelp, false)
    .option("--keep-history", "keep the records, as those of a release that was", false)
    .action((name: string, options) =>
      perform(async (signal) => (await import("./command/delete.ts")).deleteRelease(name, options, terminal, signal)),
    );
}

function addTest(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(naming(program.command("test"))))
    .description("run the test hooks of a release")
    .action((name: string, options) =>
      perform(async (signal) => (await import("./command/test.ts")).test(name, options, terminal, signal)),
    );
}

function addApply(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(reading(program.command("apply"))))
    .description("apply manifests in their order and wait until all is ready, without a release")
    .addOption(embedded("apply"))
    .addOption(waitOption())
    .addOption(new Option("--no-wait", "do not wait until the objects are ready"))
    .option("--force-conflicts", "take over fields that others own", false)
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

/** The argument that says which release is meant. */
function naming(command: Command): Command {
  return command.argument("<release>", "the name of the release; its namespace is that of -n, or of the context");
}

/** The flags of all that takes its time. */
function working(command: Command): Command {
  return command
    .addOption(
      new Option("--timeout <duration>", "how long it may take in all (90s, 10m, 1h30m)").argParser(duration).default(600_000, "10m"),
    )
    .addOption(new Option("--parallel <count>", "how many objects are applied or deleted at once").argParser(atLeastOne).default(20))
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "ndjson"]).default("text"));
}

const dataHelp = "delete volume claims, and definitions that still have objects, too";

/** The flags of all that writes a revision. */
function deploying(command: Command): Command {
  return command
    .addOption(waitOption())
    .addOption(new Option("--no-wait", "do not wait until the objects are ready"))
    .option("--force-conflicts", "take over fields that others own", false)
    .option("--take-ownership", "adopt objects that are there and belong to no release", false)
    .option("--delete-data", dataHelp, false)
    .addOption(new Option("--history-max <count>", "how many revisions are kept; 0 keeps all").argParser(revisionCount).default(10));
}

function waitOption(): Option {
  return new Option("--wait [what]", "until when to wait: all, until everything is ready; hooks, for the hooks alone (Helm's manner)")
    .choices(["all", "hooks"])
    .default(true, "all");
}

function embedded(verb: string): Option {
  return new Option("--embedded", `${verb} to a new embedded cluster that ends with the command`).conflicts(["context", "kubeconfig"]);
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

function revision(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected the number of a revision, from 1 on");
}

function revisionCount(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number, or 0 for no limit");
}

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a number from 1 to 9999");
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

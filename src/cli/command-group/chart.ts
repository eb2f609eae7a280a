import { Option, type Command } from "commander";
import { parseDurationFlag } from "../parse-argument.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that know where charts come from. */
export function addChartCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRepo(program, terminal, runCommand);
  addDependency(program, terminal, runCommand);
  addPull(program, terminal, runCommand);
  addShow(program, terminal, runCommand);
}

/** The flags that say how a repository or a registry is reached. */
export function addRepositoryOptions(command: Command): Command {
  return command
    .option("--username <name>", "the name to sign in with")
    .option("--password <password>", "the password to sign in with")
    .option("--ca-file <file>", "trust servers whose certificate these authorities vouch for")
    .option("--cert-file <file>", "the certificate to show to the server")
    .option("--key-file <file>", "the key of that certificate")
    .option("--insecure-skip-tls-verify", "trust any server", false);
}

/** The flags that say which chart is meant. */
export function addChartOptions(command: Command): Command {
  return addRepositoryOptions(command)
    .option("--version <version>", "the version of the chart, or what it has to satisfy (^1.2); the latest by default")
    .option("--devel", "versions under development will do too, where --version names none", false)
    .option("--repo <url>", "the repository that the chart is in")
    .option("--pass-credentials", "sign in on other hosts, too, that the repository keeps its charts on", false)
    .option("--plain-http", "reach the registry by HTTP", false);
}

const chartHelp = "a folder, a .tgz, repository/name, a URL, oci://…, or with --repo a name";

function timeoutOption(): Option {
  return new Option("--timeout <duration>", "how long an answer may take").argParser(parseDurationFlag).default(120_000, "2m");
}

function addRepo(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const repo = program.command("repo").description("give names to chart repositories; Helm knows them by the same names");
  addRepositoryOptions(repo.command("add"))
    .description("give a repository a name")
    .argument("<name>", "the name to give")
    .argument("<url>", "the address of the repository")
    .option("--password-stdin", "read the password from standard input", false)
    .option("--pass-credentials", "sign in on other hosts, too, that the repository keeps its charts on", false)
    .option("--force-update", "replace what goes by that name", false)
    .addOption(timeoutOption())
    .action((name: string, url: string, options) =>
      runCommand(async (signal) => (await import("../command/repo.ts")).addRepo(name, url, options, terminal, signal)),
    );
  repo
    .command("list")
    .alias("ls")
    .description("list the repositories that have a name")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["table", "json", "yaml"]).default("table"))
    .action((options) => runCommand(async (signal) => (await import("../command/repo.ts")).listRepos(options, terminal, signal)));
  repo
    .command("update")
    .alias("up")
    .description("fetch what repositories have anew")
    .argument("[name...]", "which ones (default: all)")
    .addOption(timeoutOption())
    .action((names: string[], options) =>
      runCommand(async (signal) => (await import("../command/repo.ts")).updateRepos(names, options, terminal, signal)),
    );
  repo
    .command("remove")
    .alias("rm")
    .description("forget repositories")
    .argument("<name...>", "which ones")
    .action((names: string[]) => runCommand(async (signal) => (await import("../command/repo.ts")).removeRepos(names, terminal, signal)));
}

function addDependency(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const dependency = program.command("dependency").alias("dep").description("bring together the charts that a chart is made with");
  addDependencyOptions(dependency.command("build"))
    .description("bring into charts/ what Chart.lock says; without one as update")
    .action((chart: string, options) =>
      runCommand(async (signal) => (await import("../command/dependency.ts")).fetchDependencies("build", chart, options, terminal, signal)),
    );
  addDependencyOptions(dependency.command("update").alias("up"))
    .description("bring into charts/ what Chart.yaml asks for, and write Chart.lock")
    .action((chart: string, options) =>
      runCommand(async (signal) =>
        (await import("../command/dependency.ts")).fetchDependencies("update", chart, options, terminal, signal),
      ),
    );
  dependency
    .command("list")
    .alias("ls")
    .description("say how each dependency of a chart is doing")
    .argument("[chart]", "the chart's folder", ".")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["table", "json", "yaml"]).default("table"))
    .action((chart: string, options) =>
      runCommand(async () => (await import("../command/dependency.ts")).showDependencies(chart, options, terminal)),
    );
}

function addDependencyOptions(command: Command): Command {
  return addRepositoryOptions(command.argument("[chart]", "the chart's folder", "."))
    .option("--skip-refresh", "do not fetch what repositories have anew", false)
    .option("--plain-http", "reach registries by HTTP", false)
    .addOption(timeoutOption());
}

function addPull(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addChartOptions(program.command("pull"))
    .description("fetch a chart")
    .argument("<chart>", "repository/name, a URL, oci://…, or with --repo a name")
    .addOption(new Option("-d, --destination <folder>", "where to put it").default("."))
    .option("--untar", "unpack it", false)
    .addOption(new Option("--untardir <folder>", "where to unpack it, inside the destination").default("."))
    .addOption(timeoutOption())
    .action((chart: string, options) =>
      runCommand(async (signal) => (await import("../command/pull.ts")).pull(chart, options, terminal, signal)),
    );
}

const showTopics = {
  all: "all of the following",
  chart: "what it says of itself",
  values: "its values",
  readme: "its README",
  crds: "the CustomResourceDefinitions that it brings",
} as const;

function addShow(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const show = program.command("show").description("show what a chart says of itself");
  for (const what of Object.keys(showTopics) as (keyof typeof showTopics)[]) {
    addChartOptions(show.command(what))
      .description(`show ${showTopics[what]}`)
      .argument("<chart>", chartHelp)
      .addOption(timeoutOption())
      .action((chart: string, options) =>
        runCommand(async (signal) => (await import("../command/show-chart.ts")).show(what, chart, options, terminal, signal)),
      );
  }
}

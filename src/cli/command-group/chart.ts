import type { Command } from "commander";
import { addChartOptions, addRepositoryOptions, chartHelp, keyringHelp, refuseUnusedKeyring } from "../chart/chart-options.ts";
import { addGlobalFlagsWithoutCluster } from "../helm/refused-flags.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseDurationFlag } from "../parse-argument.ts";
import { outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands about chart repositories and the charts in them. */
export function addChartCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRepo(program, terminal, runCommand);
  addDependency(program, terminal, runCommand);
  addPull(program, terminal, runCommand);
  addVerify(program, terminal, runCommand);
  addShow(program, terminal, runCommand);
  for (const command of program.commands.filter((each) => ["repo", "dependency", "pull", "verify", "show"].includes(each.name())))
    for (const each of command.commands.length > 0 ? command.commands : [command]) {
      addGlobalFlagsWithoutCluster(each);
    }
}

function timeoutOption() {
  return typedOption("--timeout <duration>", "how long an answer may take").argParser(parseDurationFlag).default(120_000, "2m");
}

export type RepoAddFlags = OptionsOf<typeof declareRepoAdd>;

function declareRepoAdd(repo: Command) {
  return addRepositoryOptions(new TypedCommand(repo.command("add")))
    .description("give a repository a name")
    .argument("<name>", "the name to give")
    .argument("<url>", "the address of the repository")
    .flag("--password-stdin", "read the password from standard input")
    .flag("--pass-credentials", "sign in on other hosts, too, that the repository keeps its charts on")
    .flag("--force-update", "replace what goes by that name")
    .addOption(timeoutOption());
}

function addRepo(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const repo = program.command("repo").description("give names to chart repositories; Helm knows them by the same names");
  declareRepoAdd(repo).action((name, url, options) =>
    runCommand(async (signal) => (await import("../command/repo.ts")).addRepo(name, url, options, terminal, signal)),
  );
  new TypedCommand(repo.command("list").alias("ls"))
    .description("list the repositories that have a name")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action((options) => runCommand(async (signal) => (await import("../command/repo.ts")).listRepos(options, terminal, signal)));
  new TypedCommand(repo.command("update").alias("up"))
    .description("fetch what repositories have anew")
    .argument("[repository...]", "which ones (default: all)")
    .addOption(timeoutOption())
    .action((names, options) =>
      runCommand(async (signal) => (await import("../command/repo.ts")).updateRepos(names, options, terminal, signal)),
    );
  new TypedCommand(repo.command("remove").alias("rm"))
    .description("forget repositories")
    .argument("<repository...>", "which ones")
    .action((names) => runCommand(async (signal) => (await import("../command/repo.ts")).removeRepos(names, terminal, signal)));
}

function addDependency(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const dependency = program
    .command("dependency")
    .aliases(["dep", "dependencies"])
    .description("bring together the charts that a chart is made with");
  addDependencyOptions(new TypedCommand(dependency.command("build")))
    .description("bring into charts/ what Chart.lock says; without one as update")
    .action((chart, options) =>
      runCommand(async (signal) => (await import("../command/dependency.ts")).fetchDependencies("build", chart, options, terminal, signal)),
    );
  addDependencyOptions(new TypedCommand(dependency.command("update").alias("up")))
    .description("bring into charts/ what Chart.yaml asks for, and write Chart.lock")
    .action((chart, options) =>
      runCommand(async (signal) =>
        (await import("../command/dependency.ts")).fetchDependencies("update", chart, options, terminal, signal),
      ),
    );
  new TypedCommand(dependency.command("list").alias("ls"))
    .description("say how each dependency of a chart is doing")
    .defaultArgument("[chart]", "the chart's folder", ".")
    .addOption(outputOption(["table", "json", "yaml"]))
    .action((chart, options) =>
      runCommand(async () => (await import("../command/dependency.ts")).showDependencies(chart, options, terminal)),
    );
}

export type DependencyFlags = OptionsOf<typeof addDependencyOptions>;

function addDependencyOptions<A extends readonly unknown[], O>(command: TypedCommand<A, O>) {
  command.command.hook("preAction", refuseUnusedKeyring);
  return addRepositoryOptions(command.defaultArgument("[chart]", "the chart's folder", "."))
    .flag("--skip-refresh", "do not fetch what repositories have anew")
    .flag("--plain-http", "reach registries by HTTP")
    .flag("--verify", "take only charts whose provenance file (.prov) is signed by a key of the keyring; build takes charts without one")
    .option("--keyring <file>", keyringHelp)
    .addOption(timeoutOption());
}

export type VerifyFlags = OptionsOf<typeof declareVerify>;

function declareVerify(program: Command) {
  return new TypedCommand(program.command("verify"))
    .description("verify that a packed chart is signed, by the provenance file beside it")
    .argument("<chart>", "the packed chart")
    .option("--keyring <file>", keyringHelp);
}

function addVerify(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareVerify(program).action((chart, options) =>
    runCommand(async (signal) => (await import("../command/verify.ts")).verify(chart, options, terminal, signal)),
  );
}

export type PullFlags = OptionsOf<typeof declarePull>;

function declarePull(program: Command) {
  return addChartOptions(new TypedCommand(program.command("pull").alias("fetch")))
    .description("fetch a chart")
    .argument("<chart>", "repository/name, a URL, oci://…, or with --repo a name")
    .addOption(typedOption("-d, --destination <folder>", "where to put it").default("."))
    .flag("--untar", "unpack it")
    .addOption(typedOption("--untardir <folder>", "where to unpack it, inside the destination").default("."))
    .addOption(timeoutOption());
}

function addPull(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declarePull(program).action((chart, options) =>
    runCommand(async (signal) => (await import("../command/pull.ts")).pull(chart, options, terminal, signal)),
  );
}

const showTopics = [
  { topic: "all", help: "all of the following" },
  { topic: "chart", help: "what it says of itself" },
  { topic: "values", help: "its values" },
  { topic: "readme", help: "its README" },
  { topic: "crds", help: "the CustomResourceDefinitions that it brings" },
] as const;

export type ShowChartFlags = OptionsOf<typeof declareShowChart>;

function declareShowChart(show: Command, topic: string, help: string) {
  return addChartOptions(new TypedCommand(show.command(topic)))
    .description(`show ${help}`)
    .argument("<chart>", chartHelp)
    .addOption(timeoutOption());
}

function addShow(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const show = program.command("show").alias("inspect").description("show what a chart says of itself");
  for (const { topic, help } of showTopics) {
    declareShowChart(show, topic, help).action((chart, options) =>
      runCommand(async (signal) => (await import("../command/show-chart.ts")).show(topic, chart, options, terminal, signal)),
    );
  }
}

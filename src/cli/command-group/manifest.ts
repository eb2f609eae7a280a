import { Option, type Command } from "commander";
import { addRenderOptions, addValueOptions } from "../chart/chart-options.ts";
import { embeddedOption, addClusterOptions, addSourceArgument, waitOption, addRunOptions } from "../shared-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { addChartOptions } from "./chart.ts";

/** The commands that know manifests, and no release. */
export function addManifestCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addApply(program, terminal, runCommand);
  addCheck(program, terminal, runCommand);
  addLint(program, terminal, runCommand);
}

function addApply(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRunOptions(addClusterOptions(addSourceArgument(program.command("apply"))))
    .description("apply manifests in their order and wait until all is ready, without a release")
    .addOption(embeddedOption("apply"))
    .addOption(waitOption())
    .addOption(new Option("--no-wait", "do not wait until the objects are ready"))
    .option("--force-conflicts", "take over fields that others own", false)
    .action((sources: string[], options) =>
      runCommand(async (signal) => (await import("../command/apply.ts")).apply(sources, options, terminal, signal)),
    );
}

function addCheck(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addClusterOptions(addSourceArgument(program.command("check")))
    .description("say how each object of the manifests is doing")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json", "yaml"]).default("text"))
    .action((sources: string[], options) =>
      runCommand(async (signal) => (await import("../command/check.ts")).checkObjects(sources, options, terminal, signal)),
    );
}

function addLint(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRenderOptions(addValueOptions(addChartOptions(addClusterOptions(addSourceArgument(program.command("lint"))))))
    .description(
      "say what is wrong with a chart, or with the order that manifests ask for; a cluster is asked with --context or --kubeconfig only",
    )
    .option("--strict", "warnings are failures, too", false)
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action((sources: string[], options) =>
      runCommand(async (signal) => (await import("../command/lint.ts")).lint(sources, options, terminal, signal)),
    );
}

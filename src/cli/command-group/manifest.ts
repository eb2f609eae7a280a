import type { Command } from "commander";
import { addChartOptions, addRenderOptions, addValueOptions } from "../chart/chart-options.ts";
import { addLintFlags } from "../helm/refused-flags.ts";
import type { RunCommand } from "../interrupt.ts";
import { addClusterOptions, addRunOptions, addSourceArgument, addWaitOptions, embeddedOption, outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";

/** Adds the commands that take manifests and know no release. */
export function addManifestCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addApply(program, terminal, runCommand);
  addCheck(program, terminal, runCommand);
  addLint(program, terminal, runCommand);
}

export type ApplyFlags = OptionsOf<typeof declareApply>;

function declareApply(program: Command) {
  const command = addRunOptions(addClusterOptions(addSourceArgument(new TypedCommand(program.command("apply")))))
    .description("apply manifests in their order and wait until all is ready, without a release")
    .addOption(embeddedOption("apply"));
  return addWaitOptions(command).flag("--force-conflicts", "take over fields that others own");
}

function addApply(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareApply(program).action((sources, options) =>
    runCommand(async (signal) => (await import("../command/apply.ts")).apply(sources, options, terminal, signal)),
  );
}

export type CheckFlags = OptionsOf<typeof declareCheck>;

function declareCheck(program: Command) {
  return addClusterOptions(addSourceArgument(new TypedCommand(program.command("check"))))
    .description("say how each object of the manifests is doing")
    .addOption(outputOption(["text", "json", "yaml"]));
}

function addCheck(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareCheck(program).action((sources, options) =>
    runCommand(async (signal) => (await import("../command/check.ts")).checkObjects(sources, options, terminal, signal)),
  );
}

export type LintFlags = OptionsOf<typeof declareLint>;

function declareLint(program: Command) {
  const command = addClusterOptions(addSourceArgument(new TypedCommand(program.command("lint"))));
  addLintFlags(command.command);
  return addRenderOptions(addValueOptions(addChartOptions(command)))
    .description(
      "say what is wrong with a chart, or with the order that manifests ask for; a cluster is asked with --context or --kubeconfig only",
    )
    .flag("--strict", "warnings are failures, too")
    .flag("--quiet", "print warnings and errors alone")
    .addOption(outputOption(["text", "json"]));
}

function addLint(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareLint(program).action((sources, options) =>
    runCommand(async (signal) => (await import("../command/lint.ts")).lint(sources, options, terminal, signal)),
  );
}

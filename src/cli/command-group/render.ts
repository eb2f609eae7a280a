import type { Command } from "commander";
import { addChartOptions, addRenderOptions, addValueOptions, repeatableOption, chartHelp } from "../chart/chart-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

export type RenderCommandFlags = OptionsOf<typeof declareRender>;

function declareRender(program: Command) {
  const command = addRenderOptions(addValueOptions(addChartOptions(new TypedCommand(program.command("render")))));
  return addRenderOutputOptions(command)
    .description("print what becomes of a chart, as helm template does; no cluster is asked")
    .argument("<chart>", chartHelp)
    .addOption(typedOption("--release <name>", "the name of the release").default("release-name"))
    .flag("--notes", "print the chart's notes, too, to standard error");
}

/** Adds the options that say for which cluster a chart is rendered, and what is printed of it. */
export function addRenderOutputOptions<A extends readonly unknown[], O>(command: TypedCommand<A, O>) {
  return command
    .option("-n, --namespace <name>", "the namespace of the release (default: default)")
    .addOption(repeatableOption("-a, --api-versions <version>", "a version or a kind that the cluster is to have; may be repeated"))
    .option("--kube-version <version>", "the version that the cluster is to have")
    .flag("--include-crds", "print the definitions in crds/ as well")
    .addOption(repeatableOption("-s, --show-only <template>", "only what comes from this template; may be repeated"))
    .flag("--skip-tests", "leave out the hooks that are tests")
    .option("--no-hooks", "leave out all hooks")
    .flag("--is-upgrade", "render as for an upgrade")
    .option("--output-dir <folder>", "write files into this folder, one for each template, instead of printing");
}

/** Adds the command that renders a chart without a cluster. */
export function addRenderCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareRender(program).action((chart, options) =>
    runCommand(async (signal) => (await import("../command/render.ts")).render(chart, options, terminal, signal)),
  );
}

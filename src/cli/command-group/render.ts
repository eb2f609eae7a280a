import { Option, type Command } from "commander";
import { repeatableOption, addRenderOptions, addValueOptions } from "../chart/chart-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { addChartOptions } from "./chart.ts";

/** What the argument that names a chart says of itself. */
const chartHelp = "a folder, a .tgz, repository/name, a URL, oci://…, or with --repo a name";

/** The command that renders a chart and goes no further. */
export function addRenderCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRenderOptions(addValueOptions(addChartOptions(program.command("render"))))
    .description("print what becomes of a chart, as helm template does; no cluster is asked")
    .argument("<chart>", chartHelp)
    .addOption(new Option("--release <name>", "the name of the release").default("release-name"))
    .option("-n, --namespace <name>", "the namespace of the release (default: default)")
    .addOption(repeatableOption("-a, --api-versions <version>", "a version or a kind that the cluster is to have; may be repeated"))
    .option("--kube-version <version>", "the version that the cluster is to have")
    .option("--include-crds", "print the definitions in crds/ as well", false)
    .addOption(repeatableOption("-s, --show-only <template>", "only what comes from this template; may be repeated"))
    .option("--skip-tests", "leave out the hooks that are tests", false)
    .option("--no-hooks", "leave out all hooks")
    .option("--is-upgrade", "render as for an upgrade", false)
    .option("--notes", "print the chart's notes, too, to standard error", false)
    .action((chart: string, options) =>
      runCommand(async (signal) => (await import("../command/render.ts")).render(chart, options, terminal, signal)),
    );
}

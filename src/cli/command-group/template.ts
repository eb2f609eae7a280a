import type { Command } from "commander";
import { addHelmChartOptions, addNameOptions, helmGroup } from "../helm/helm-options.ts";
import { readPflagArguments } from "../pflag-arguments.ts";
import { readHelmVariables } from "../helm/helm-variables.ts";
import { addGlobalFlags, addTemplateFlags, refuseChartFlags } from "../helm/refused-flags.ts";
import { showOwnOptions } from "../helm/show-own-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addRenderOutputOptions } from "./render.ts";

export type TemplateFlags = OptionsOf<typeof declareTemplate>;

function declareTemplate(program: Command) {
  const command = program.command("template").usage("[options] [name] <chart>").helpGroup(helmGroup);
  readPflagArguments(command, { "--wait": "watcher", "--dry-run": "client" });
  addGlobalFlags(command);
  refuseChartFlags(command);
  addTemplateFlags(command);
  readHelmVariables(command, { reachesCluster: false });
  return addNameOptions(addRenderOutputOptions(addHelmChartOptions(new TypedCommand(command))))
    .description("print what becomes of a chart, as helm template does: sluice render with the name of the release as an argument")
    .argument("[name]", "the name of the release (default: release-name)")
    .argument("[chart]", "a folder, a .tgz, repository/name, a URL, oci://…, or with --repo a name")
    .option("--context <name>", "the context whose namespace is taken where -n names none")
    .spelling("--kube-context <name>", "context")
    .option("--kubeconfig <file>", "the kubeconfig of that context (default: $KUBECONFIG, else ~/.kube/config)")
    .flag("--release-name", "put files of --output-dir into a folder with the name of the release")
    .addOption(typedOption("--dry-run [mode]", "nothing is changed in any case").choices(["client", "none"]));
}

/** Adds Helm's command that renders a chart without a cluster. */
export function addTemplateCommand(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const template = declareTemplate(program);
  showOwnOptions(template.command, "render");
  template.action((first, second, options) =>
    runCommand(async (signal) => (await import("../command/template.ts")).template(first, second, options, terminal, signal)),
  );
}

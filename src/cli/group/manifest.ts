import { Option, type Command } from "commander";
import { rendering, valuing } from "../chart/flags.ts";
import { embedded, reaching, reading, waitOption, working } from "../flags.ts";
import type { Perform } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { choosing } from "./chart.ts";

/** The commands that know manifests, and no release. */
export function addManifestCommands(program: Command, terminal: Terminal, perform: Perform): void {
  addApply(program, terminal, perform);
  addCheck(program, terminal, perform);
  addLint(program, terminal, perform);
}

function addApply(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(reading(program.command("apply"))))
    .description("apply manifests in their order and wait until all is ready, without a release")
    .addOption(embedded("apply"))
    .addOption(waitOption())
    .addOption(new Option("--no-wait", "do not wait until the objects are ready"))
    .option("--force-conflicts", "take over fields that others own", false)
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("../command/apply.ts")).apply(sources, options, terminal, signal)),
    );
}

function addCheck(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(reading(program.command("check")))
    .description("say how each object of the manifests is doing")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json", "yaml"]).default("text"))
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("../command/check.ts")).check(sources, options, terminal, signal)),
    );
}

function addLint(program: Command, terminal: Terminal, perform: Perform): void {
  rendering(valuing(choosing(reaching(reading(program.command("lint"))))))
    .description(
      "say what is wrong with a chart, or with the order that manifests ask for; a cluster is asked with --context or --kubeconfig only",
    )
    .option("--strict", "warnings are failures, too", false)
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action((sources: string[], options) =>
      perform(async (signal) => (await import("../command/lint.ts")).lint(sources, options, terminal, signal)),
    );
}

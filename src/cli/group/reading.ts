import { Option, type Command } from "commander";
import { naming, reaching } from "../flags.ts";
import type { Perform } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that tell of releases and change nothing. */
export function addReadingCommands(program: Command, terminal: Terminal, perform: Perform): void {
  addList(program, terminal, perform);
  addHistory(program, terminal, perform);
  addStatus(program, terminal, perform);
  addWhy(program, terminal, perform);
}

function output(choices: readonly [string, ...string[]]): Option {
  return new Option("-o, --output <format>", "how to tell of it").choices(choices).default(choices[0]);
}

function addList(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(program.command("list"), "the namespace to list")
    .description("list the releases of a namespace, each with its latest revision")
    .addOption(new Option("-A, --all-namespaces", "list those of all namespaces").default(false).conflicts("namespace"))
    .addOption(output(["table", "json", "yaml"]))
    .action((options) => perform(async (signal) => (await import("../command/list.ts")).list(options, terminal, signal)));
}

function addHistory(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(naming(program.command("history")), "the namespace of the release")
    .description("list the revisions of a release")
    .addOption(output(["table", "json", "yaml"]))
    .action((name: string, options) =>
      perform(async (signal) => (await import("../command/history.ts")).history(name, options, terminal, signal)),
    );
}

function addStatus(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(naming(program.command("status")), "the namespace of the release")
    .description("say how a release and each of its objects are doing; exit code 1 unless it is deployed and all are ready")
    .addOption(output(["text", "json", "yaml"]))
    .action((name: string, options) =>
      perform(async (signal) => (await import("../command/status.ts")).status(name, options, terminal, signal)),
    );
}

function addWhy(program: Command, terminal: Terminal, perform: Perform): void {
  reaching(naming(program.command("why")), "the namespace of the release")
    .description("say why a release waits, or one object of it, down to the first cause")
    .argument("[kind/name]", "the object to ask about: deployment/web, deploy/web (default: all that waits)")
    .addOption(output(["text", "json"]))
    .action((name: string, object: string | undefined, options) =>
      perform(async (signal) => (await import("../command/why.ts")).why(name, object, options, terminal, signal)),
    );
}

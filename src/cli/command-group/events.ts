import { Option, type Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands for those who write EventSources. */
export function addEventCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const events = program.command("events").description("try out which objects make an event");
  events
    .command("test")
    .description("try each eventsource.yaml on the matching.yaml and non-matching.yaml beside it; exit code 1 when one is not as expected")
    .argument("<folder>", "the folder to look in, and in all folders below it")
    .option("-w, --watch", "begin anew whenever a file changes", false)
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json"]).default("text"))
    .action((folder: string, options) =>
      runCommand(async (signal) => (await import("../command/events-test.ts")).eventsTest(folder, options, terminal, signal)),
    );
  events
    .command("match")
    .description("say what an EventSource would match in a cluster right now, and of every other object of its kinds why not")
    .argument("<file>", "the file with the EventSource")
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .option("-n, --namespace <name>", "look at the objects of this namespace alone (default: all of them)")
    .addOption(new Option("-o, --output <format>", "how to tell of it").choices(["text", "json", "yaml"]).default("text"))
    .action((file: string, options) =>
      runCommand(async (signal) => (await import("../command/events-match.ts")).eventsMatch(file, options, terminal, signal)),
    );
}

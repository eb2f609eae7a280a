import type { Command } from "commander";
import type { RunCommand } from "../interrupt.ts";
import { outputOption } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";

/** Adds the commands for authors of EventSources. */
export function addEventCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const events = program.command("events").description("try out which objects make an event");
  declareEventsTest(events).action((folder, options) =>
    runCommand(async (signal) => (await import("../command/events-test.ts")).eventsTest(folder, options, terminal, signal)),
  );
  declareEventsMatch(events).action((file, options) =>
    runCommand(async (signal) => (await import("../command/events-match.ts")).eventsMatch(file, options, terminal, signal)),
  );
}

export type EventsTestFlags = OptionsOf<typeof declareEventsTest>;

function declareEventsTest(events: Command) {
  return new TypedCommand(events.command("test"))
    .description("try each eventsource.yaml on the matching.yaml and non-matching.yaml beside it; exit code 1 when one is not as expected")
    .argument("<folder>", "the folder to look in, and in all folders below it")
    .flag("-w, --watch", "begin anew whenever a file changes")
    .addOption(outputOption(["text", "json"]));
}

export type EventsMatchFlags = OptionsOf<typeof declareEventsMatch>;

function declareEventsMatch(events: Command) {
  return new TypedCommand(events.command("match"))
    .description("say what an EventSource would match in a cluster right now, and of every other object of its kinds why not")
    .argument("<file>", "the file with the EventSource")
    .option("--context <name>", "the context of the kubeconfig to use")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .option("-n, --namespace <name>", "look at the objects of this namespace alone (default: all of them)")
    .addOption(outputOption(["text", "json", "yaml"]));
}

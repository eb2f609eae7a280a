import { Argument, type Command } from "commander";
import { revision } from "../argument.ts";
import { dataHelp, deploying, embedded, naming, reaching, reading, working } from "../flags.ts";
import type { Perform } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";

/** The commands that change a release, or try it. */
export function addReleaseCommands(program: Command, terminal: Terminal, perform: Perform): void {
  addDeploy(program, terminal, perform);
  addRollback(program, terminal, perform);
  addDelete(program, terminal, perform);
  addTest(program, terminal, perform);
}

function addDeploy(program: Command, terminal: Terminal, perform: Perform): void {
  const command = working(deploying(reaching(reading(naming(program.command("deploy"))))))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .addOption(embedded("deploy"))
    .option("--create-namespace", "make the release's namespace when it is not there", false)
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false);
  command.action((name: string, sources: string[], options) =>
    perform(async (signal) => (await import("../command/deploy.ts")).deploy(name, sources, options, terminal, signal)),
  );
}

function addRollback(program: Command, terminal: Terminal, perform: Perform): void {
  working(deploying(reaching(naming(program.command("rollback")))))
    .description("bring a release back to an earlier revision")
    .addArgument(new Argument("[revision]", "the revision to go back to (default: the one that was deployed before)").argParser(revision))
    .action((name: string, to: number | undefined, options) =>
      perform(async (signal) => (await import("../command/rollback.ts")).rollback(name, to, options, terminal, signal)),
    );
}

function addDelete(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(naming(program.command("delete"))))
    .description("delete a release: the mirror image of its installation")
    .option("--delete-data", dataHelp, false)
    .option("--keep-history", "keep the records, as those of a release that was", false)
    .action((name: string, options) =>
      perform(async (signal) => (await import("../command/delete.ts")).deleteRelease(name, options, terminal, signal)),
    );
}

function addTest(program: Command, terminal: Terminal, perform: Perform): void {
  working(reaching(naming(program.command("test"))))
    .description("run the test hooks of a release")
    .action((name: string, options) =>
      perform(async (signal) => (await import("../command/test.ts")).test(name, options, terminal, signal)),
    );
}

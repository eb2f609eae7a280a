import { Argument, Option, type Command } from "commander";
import { revision } from "../argument.ts";
import { rendering, reusing, valuing } from "../chart/flags.ts";
import {
  dataHelp,
  deploying,
  embedded,
  namespaceOption,
  naming,
  planning,
  reaching,
  reading,
  releaseHelp,
  sourceHelp,
  working,
} from "../flags.ts";
import type { Perform } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { choosing } from "./chart.ts";

/** The commands that change a release, or try it, or say what they would do. */
export function addReleaseCommands(program: Command, terminal: Terminal, perform: Perform): void {
  addPlan(program, terminal, perform);
  addDeploy(program, terminal, perform);
  addConverge(program, terminal, perform);
  addRollback(program, terminal, perform);
  addDelete(program, terminal, perform);
  addTest(program, terminal, perform);
}

function addPlan(program: Command, terminal: Terminal, perform: Perform): void {
  charting(planning(reaching(reading(naming(program.command("plan"))))))
    .description("show what a deploy would change, in which order and what waits for what; nothing is touched")
    .addOption(embedded("plan for a deploy"))
    .addOption(namespaceOption())
    .addOption(
      new Option("-o, --output <format>", "how to show it: a tree, JSON, or a graph for Mermaid or Graphviz")
        .choices(["tree", "json", "mermaid", "dot"])
        .default("tree"),
    )
    .option("--no-diff", "leave out what changes inside each object")
    .option("--save <file>", "keep the plan for sluice deploy --use-plan; readable by its owner alone, for it holds secrets")
    .option("--detailed-exit-code", "exit with 3 when there is something to change, 0 when there is not", false)
    .action((name: string, sources: string[], options) =>
      perform(async (signal) => (await import("../command/plan.ts")).plan(name, sources, options, terminal, signal)),
    );
}

/** The flags of a source that is a chart. */
function charting(command: Command): Command {
  return reusing(rendering(valuing(choosing(command))));
}

function addConverge(program: Command, terminal: Terminal, perform: Perform): void {
  rendering(valuing(working(deploying(reaching(program.command("converge"))))))
    .description("deploy the chart in the folder .helm of the current folder, as werf does")
    .option("--release <name>", "the name of the release (default: that of the chart, else that of the folder)")
    .addOption(embedded("deploy"))
    .addOption(namespaceOption())
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false)
    .action((options) => perform(async (signal) => (await import("../command/converge.ts")).converge(options, terminal, signal)));
}

/** Whatever shapes a plan is settled in one that was saved. */
const settledFlags =
  "wait forceConflicts takeOwnership deleteData createNamespace values set setString setJson setFile setLiteral reuseValues resetValues resetThenReuseValues postRenderer".split(
    " ",
  );

function addDeploy(program: Command, terminal: Terminal, perform: Perform): void {
  const command = charting(working(deploying(reaching(program.command("deploy")))))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .usage("[options] <release> <source...>\n       sluice deploy [options] [release] --use-plan <file>")
    .argument("[release]", releaseHelp)
    .argument("[source...]", sourceHelp)
    .addOption(embedded("deploy"))
    .addOption(namespaceOption())
    .addOption(
      new Option("--use-plan <file>", "do exactly what sluice plan --save kept there, or refuse when it no longer fits").conflicts(
        settledFlags,
      ),
    )
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false);
  command.action((name: string | undefined, sources: string[], { usePlan: file, ...options }) => {
    if (file === undefined) {
      if (name === undefined) return command.error("error: missing required argument 'release'");
      if (sources.length === 0) return command.error("error: missing required argument 'source'");
      return perform(async (signal) => (await import("../command/deploy.ts")).deploy(name, sources, options, terminal, signal));
    }
    if (sources.length > 0) return command.error("error: a saved plan holds its manifests: leave out the source, or --use-plan");
    return perform(async (signal) => (await import("../command/deploy.ts")).deployPlan(file, name, options, terminal, signal));
  });
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

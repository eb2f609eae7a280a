import { Argument, Option, type Command } from "commander";
import { parseRevision } from "../parse-argument.ts";
import { addRenderOptions, addReuseOptions, addValueOptions } from "../chart/chart-options.ts";
import {
  deleteDataHelp,
  addDeployOptions,
  embeddedOption,
  createNamespaceOption,
  addReleaseArgument,
  addPlanOptions,
  addClusterOptions,
  addSourceArgument,
  releaseHelp,
  sourceHelp,
  addRunOptions,
} from "../shared-options.ts";
import type { RunCommand } from "../interrupt.ts";
import type { Terminal } from "../terminal.ts";
import { addChartOptions } from "./chart.ts";

/** The commands that change a release, or try it, or say what they would do. */
export function addReleaseCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addPlan(program, terminal, runCommand);
  addDeploy(program, terminal, runCommand);
  addConverge(program, terminal, runCommand);
  addRollback(program, terminal, runCommand);
  addDelete(program, terminal, runCommand);
  addTest(program, terminal, runCommand);
}

function addPlan(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addChartSourceOptions(addPlanOptions(addClusterOptions(addSourceArgument(addReleaseArgument(program.command("plan"))))))
    .description("show what a deploy would change, in which order and what waits for what; nothing is touched")
    .addOption(embeddedOption("plan for a deploy"))
    .addOption(createNamespaceOption())
    .addOption(
      new Option("-o, --output <format>", "how to show it: a tree, JSON, or a graph for Mermaid or Graphviz")
        .choices(["tree", "json", "mermaid", "dot"])
        .default("tree"),
    )
    .option("--no-diff", "leave out what changes inside each object")
    .option("--save <file>", "keep the plan for sluice deploy --use-plan; readable by its owner alone, for it holds secrets")
    .option("--detailed-exit-code", "exit with 3 when there is something to change, 0 when there is not", false)
    .action((name: string, sources: string[], options) =>
      runCommand(async (signal) => (await import("../command/plan.ts")).plan(name, sources, options, terminal, signal)),
    );
}

/** The flags of a source that is a chart. */
function addChartSourceOptions(command: Command): Command {
  return addReuseOptions(addRenderOptions(addValueOptions(addChartOptions(command))));
}

function addConverge(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRenderOptions(addValueOptions(addRunOptions(addDeployOptions(addClusterOptions(program.command("converge"))))))
    .description("deploy the chart in the folder .helm of the current folder, as werf does")
    .option("--release <name>", "the name of the release (default: that of the chart, else that of the folder)")
    .addOption(embeddedOption("deploy"))
    .addOption(createNamespaceOption())
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false)
    .action((options) => runCommand(async (signal) => (await import("../command/converge.ts")).converge(options, terminal, signal)));
}

/** Whatever shapes a plan is settled in one that was saved. */
const savedPlanConflicts =
  "wait forceConflicts takeOwnership deleteData createNamespace values set setString setJson setFile setLiteral reuseValues resetValues resetThenReuseValues postRenderer".split(
    " ",
  );

function addDeploy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const command = addChartSourceOptions(addRunOptions(addDeployOptions(addClusterOptions(program.command("deploy")))))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .usage("[options] <release> <source...>\n       sluice deploy [options] [release] --use-plan <file>")
    .argument("[release]", releaseHelp)
    .argument("[source...]", sourceHelp)
    .addOption(embeddedOption("deploy"))
    .addOption(createNamespaceOption())
    .addOption(
      new Option("--use-plan <file>", "do exactly what sluice plan --save kept there, or refuse when it no longer fits").conflicts(
        savedPlanConflicts,
      ),
    )
    .option("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one", false);
  command.action((name: string | undefined, sources: string[], { usePlan: file, ...options }) => {
    if (file === undefined) {
      if (name === undefined) return command.error("error: missing required argument 'release'");
      if (sources.length === 0) return command.error("error: missing required argument 'source'");
      return runCommand(async (signal) => (await import("../command/deploy.ts")).deploy(name, sources, options, terminal, signal));
    }
    if (sources.length > 0) return command.error("error: a saved plan holds its manifests: leave out the source, or --use-plan");
    return runCommand(async (signal) => (await import("../command/deploy.ts")).deployPlan(file, name, options, terminal, signal));
  });
}

function addRollback(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRunOptions(addDeployOptions(addClusterOptions(addReleaseArgument(program.command("rollback")))))
    .description("bring a release back to an earlier revision")
    .addArgument(
      new Argument("[revision]", "the revision to go back to (default: the one that was deployed before)").argParser(parseRevision),
    )
    .action((name: string, to: number | undefined, options) =>
      runCommand(async (signal) => (await import("../command/rollback.ts")).rollback(name, to, options, terminal, signal)),
    );
}

function addDelete(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRunOptions(addClusterOptions(addReleaseArgument(program.command("delete"))))
    .description("delete a release: the mirror image of its installation")
    .option("--delete-data", deleteDataHelp, false)
    .option("--keep-history", "keep the records, as those of a release that was", false)
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/delete.ts")).deleteRelease(name, options, terminal, signal)),
    );
}

function addTest(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addRunOptions(addClusterOptions(addReleaseArgument(program.command("test"))))
    .description("run the test hooks of a release")
    .action((name: string, options) =>
      runCommand(async (signal) => (await import("../command/test.ts")).test(name, options, terminal, signal)),
    );
}

import type { Command } from "commander";
import { addChartOptions, addRenderOptions, addReuseOptions, addValueOptions } from "../chart/chart-options.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseRevision } from "../parse-argument.ts";
import {
  addClusterOptions,
  addDeployOptions,
  addOperationOptions,
  addPlanOptions,
  addReleaseArgument,
  addSourceArgument,
  autoRollbackOption,
  createNamespaceOption,
  deleteDataHelp,
  embeddedOption,
  noHooksOption,
  releaseHelp,
  sourceHelp,
} from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";

/** Adds the commands that change a release, test it, or plan a change. */
export function addReleaseCommands(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addPlan(program, terminal, runCommand);
  addDeploy(program, terminal, runCommand);
  addConverge(program, terminal, runCommand);
  addRollback(program, terminal, runCommand);
  addDelete(program, terminal, runCommand);
  addTest(program, terminal, runCommand);
}

/** Adds the options of a source that is a chart. */
function addChartSourceOptions<A extends readonly unknown[], O>(command: TypedCommand<A, O>) {
  return addReuseOptions(addRenderOptions(addValueOptions(addChartOptions(command))));
}

export type PlanFlags = OptionsOf<typeof declarePlan>;

function declarePlan(program: Command) {
  const named = addSourceArgument(addReleaseArgument(new TypedCommand(program.command("plan"))));
  return addChartSourceOptions(addPlanOptions(addClusterOptions(named)))
    .description("show what a deploy would change, in which order and what waits for what; nothing is touched")
    .addOption(embeddedOption("plan for a deploy"))
    .addOption(createNamespaceOption())
    .addOption(
      typedOption("-o, --output <format>", "how to show it: a tree, JSON, or a graph for Mermaid or Graphviz")
        .choices(["tree", "json", "mermaid", "dot"])
        .default("tree"),
    )
    .option("--no-diff", "leave out what changes inside each object")
    .option("--save <file>", "keep the plan for sluice deploy --use-plan; readable by its owner alone, for it holds secrets")
    .flag("--detailed-exit-code", "exit with 3 when there is something to change, 0 when there is not");
}

function addPlan(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declarePlan(program).action((name, sources, options) =>
    runCommand(async (signal) => (await import("../command/plan.ts")).plan(name, sources, options, terminal, signal)),
  );
}

export type ConvergeFlags = OptionsOf<typeof declareConverge>;

function declareConverge(program: Command) {
  const command = addClusterOptions(new TypedCommand(program.command("converge")));
  return addRenderOptions(addValueOptions(addOperationOptions(addDeployOptions(command))))
    .description("deploy the chart in the folder .helm of the current folder, as werf does")
    .option("--release <name>", "the name of the release (default: that of the chart, else that of the folder)")
    .addOption(embeddedOption("deploy"))
    .addOption(createNamespaceOption())
    .addOption(autoRollbackOption());
}

function addConverge(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareConverge(program).action((options) =>
    runCommand(async (signal) => (await import("../command/converge.ts")).converge(options, terminal, signal)),
  );
}

/** A saved plan has settled everything that shapes a plan. */
const savedPlanConflicts =
  "wait forceConflicts takeOwnership deleteData hooks createNamespace values set setString setJson setFile setLiteral reuseValues resetValues resetThenReuseValues postRenderer".split(
    " ",
  );

function addDeploy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const command = program
    .command("deploy")
    .usage("[options] <release> <source...>\n       sluice deploy [options] [release] --use-plan <file>");
  addChartSourceOptions(addOperationOptions(addDeployOptions(addClusterOptions(new TypedCommand(command)))))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .argument("[release]", releaseHelp)
    .argument("[source...]", sourceHelp)
    .addOption(embeddedOption("deploy"))
    .addOption(createNamespaceOption())
    .addOption(
      typedOption("--use-plan <file>", "do exactly what sluice plan --save kept there, or refuse when it no longer fits").conflicts(
        savedPlanConflicts,
      ),
    )
    .addOption(autoRollbackOption())
    .action((name, sources, { usePlan: file, ...options }) => {
      if (file === undefined) {
        if (name === undefined) return command.error("error: missing required argument 'release'");
        if (sources.length === 0) return command.error("error: missing required argument 'source'");
        return runCommand(async (signal) => (await import("../command/deploy.ts")).deploy(name, sources, options, terminal, signal));
      }
      if (sources.length > 0) return command.error("error: a saved plan holds its manifests: leave out the source, or --use-plan");
      return runCommand(async (signal) => (await import("../command/deploy.ts")).deployPlan(file, name, options, terminal, signal));
    });
}

export type RollbackFlags = OptionsOf<typeof declareRollback>;

function declareRollback(program: Command) {
  return addOperationOptions(addDeployOptions(addClusterOptions(addReleaseArgument(new TypedCommand(program.command("rollback"))))))
    .description("bring a release back to an earlier revision")
    .parsedArgument("[revision]", "the revision to go back to (default: the one that was deployed before)", parseRevision);
}

function addRollback(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareRollback(program).action((name, to, options) =>
    runCommand(async (signal) => (await import("../command/rollback.ts")).rollback(name, to, options, terminal, signal)),
  );
}

export type DeleteFlags = OptionsOf<typeof declareDelete>;

function declareDelete(program: Command) {
  return addOperationOptions(addClusterOptions(addReleaseArgument(new TypedCommand(program.command("delete")))))
    .description("delete a release: the mirror image of its installation")
    .flag("--delete-data", deleteDataHelp)
    .addOption(noHooksOption())
    .flag("--keep-history", "keep the records, as those of a release that was");
}

function addDelete(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  declareDelete(program).action((name, options) =>
    runCommand(async (signal) => (await import("../command/delete.ts")).deleteRelease(name, options, terminal, signal)),
  );
}

function addTest(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addOperationOptions(addClusterOptions(addReleaseArgument(new TypedCommand(program.command("test")))))
    .description("run the test hooks of a release")
    .action((name, options) => runCommand(async (signal) => (await import("../command/test.ts")).test(name, options, terminal, signal)));
}

import type { Command } from "commander";
import { addChartOptions, addRenderOptions, addReuseOptions, addValueOptions, skipCrdsOption } from "../chart/chart-options.ts";
import { refuseRollbackFlags } from "../helm/refused-flags.ts";
import type { RunCommand } from "../interrupt.ts";
import { parseRevision } from "../parse-argument.ts";
import { readPflagArguments } from "../pflag-arguments.ts";
import {
  addDashboardOptions,
  addReleasePlaceOptions,
  addDeletionOptions,
  addDeployOptions,
  addOperationOptions,
  addPlanOptions,
  addPlanOutputOptions,
  addReleaseArgument,
  addSourceArgument,
  autoRollbackOption,
  createNamespaceOption,
  addRecordOptions,
  descriptionOption,
  detailedExitCodeOption,
  embeddedOption,
  recordingOption,
  releaseHelp,
  revisionHelp,
  sourceHelp,
  usePlanOption,
} from "../shared-options.ts";
import { allowSubcommands } from "../subcommands.ts";
import type { Terminal } from "../terminal.ts";
import { TypedCommand, type OptionsOf } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { addPlanOperations } from "./plan.ts";

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
  return addReuseOptions(addRenderOptions(addValueOptions(addChartOptions(command)))).addOption(skipCrdsOption());
}

export type PlanFlags = OptionsOf<typeof declarePlan>;

function declarePlan(command: Command) {
  return addPlanOutputOptions(addProposalOptions(command))
    .description("show what a deploy would change, in which order and what waits for what; nothing is touched")
    .addOption(detailedExitCodeOption());
}

/** Adds what a deploy is proposed from: a release, sources and what shapes the plan. */
export function addProposalOptions(command: Command) {
  const named = addSourceArgument(addReleaseArgument(new TypedCommand(command)));
  return addChartSourceOptions(addPlanOptions(addReleasePlaceOptions(named)))
    .addOption(embeddedOption("plan for a deploy"))
    .addOption(createNamespaceOption());
}

/** `plan deploy` is `plan` for a release that is called like one of the subcommands. */
function addPlan(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const plan = program.command("plan");
  for (const command of [plan, plan.command("deploy")])
    declarePlan(command).action((name, sources, options) =>
      runCommand(async (signal) => (await import("../command/plan.ts")).plan(name, sources, options, terminal, signal)),
    );
  addPlanOperations(plan, terminal, runCommand);
  allowSubcommands(plan);
}

export type ConvergeFlags = OptionsOf<typeof declareConverge>;

function declareConverge(program: Command) {
  const command = addReleasePlaceOptions(new TypedCommand(program.command("converge")));
  return addDashboardOptions(addRenderOptions(addValueOptions(addOperationOptions(addDeployOptions(command)))))
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
const policyOptions = ["wait", "forceConflicts", "takeOwnership", "deleteData", "hooks"];
const savedPlanConflicts = [
  ...policyOptions,
  ..."createNamespace values set setString setJson setFile setLiteral reuseValues resetValues resetThenReuseValues postRenderer skipCrds labels".split(
    " ",
  ),
];

function addDeploy(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const command = program.command("deploy").usage(usageOf("deploy", "<release> <source...>"));
  const placed = addOperationOptions(addDeployOptions(addReleasePlaceOptions(new TypedCommand(command))));
  addDashboardOptions(addChartSourceOptions(addRecordOptions(placed)))
    .description("bring a release to what its manifests say: install, upgrade, and remove what left it")
    .argument("[release]", releaseHelp)
    .argument("[source...]", sourceHelp)
    .addOption(embeddedOption("deploy"))
    .addOption(createNamespaceOption())
    .addOption(usePlanOption(savedPlanConflicts))
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

function declareRollback(command: Command) {
  return addDashboardOptions(addOperationOptions(addDeployOptions(addReleasePlaceOptions(new TypedCommand(command)))))
    .description("bring a release back to an earlier revision")
    .argument("[release]", releaseHelp)
    .parsedArgument("[revision]", revisionHelp, parseRevision)
    .addOption(usePlanOption(policyOptions))
    .addOption(typedOption("--dry-run [mode]", dryRunHelp).choices(["none", "client", "server"]).default(false).conflicts(["usePlan"]));
}

function addRollback(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const command = program.command("rollback").usage(usageOf("rollback", "<release> [revision]"));
  const declared = declareRollback(command);
  refuseRollbackFlags(command);
  readPflagArguments(command, { "--wait": "all", "--dry-run": "server" }, { separate: true });
  declared.action((name, to, options) => {
    const { usePlan: file, dryRun } = options;
    if (file !== undefined) {
      if (to !== undefined) return command.error("error: a saved plan knows its revision: leave it out, or --use-plan");
      return runCommand(async (signal) => (await import("../command/rollback.ts")).rollbackPlan(file, name, options, terminal, signal));
    }
    if (name === undefined) return command.error("error: missing required argument 'release'");
    return runCommand(async (signal) =>
      dryRun !== false && dryRun !== "none"
        ? (await import("../command/plan-operation.ts")).dryRunRollback(name, to, options, terminal, signal)
        : (await import("../command/rollback.ts")).rollback(name, to, options, terminal, signal),
    );
  });
}

export type DeleteFlags = OptionsOf<typeof declareDelete>;

function declareDelete(command: Command) {
  return addDeletionOptions(addOperationOptions(addReleasePlaceOptions(new TypedCommand(command))))
    .description("delete a release: the mirror image of its installation")
    .argument("[release]", releaseHelp)
    .addOption(usePlanOption(["deleteData", "hooks", "keepHistory", "description"]))
    .addOption(recordingOption())
    .addOption(descriptionOption())
    .addOption(typedOption("--dry-run", dryRunHelp).default(false).conflicts(["usePlan"]));
}

function addDelete(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  const command = program.command("delete").usage(usageOf("delete", "<release>"));
  declareDelete(command).action((name, options) => {
    const { usePlan: file, dryRun } = options;
    if (file !== undefined)
      return runCommand(async (signal) => (await import("../command/delete.ts")).deletePlan(file, name, options, terminal, signal));
    if (name === undefined) return command.error("error: missing required argument 'release'");
    return runCommand(async (signal) =>
      dryRun
        ? (await import("../command/plan-operation.ts")).dryRunDelete(name, options, terminal, signal)
        : (await import("../command/delete.ts")).deleteRelease(name, options, terminal, signal),
    );
  });
}

/** What a command takes: a release, or a saved plan that knows it. */
function usageOf(command: string, release: string): string {
  return `[options] ${release}\n       sluice ${command} [options] [release] --use-plan <file>`;
}

const dryRunHelp = "show what it would do, as sluice plan does, and do nothing";

function addTest(program: Command, terminal: Terminal, runCommand: RunCommand): void {
  addOperationOptions(addReleasePlaceOptions(addReleaseArgument(new TypedCommand(program.command("test")))))
    .description("run the test hooks of a release")
    .action((name, options) => runCommand(async (signal) => (await import("../command/test.ts")).test(name, options, terminal, signal)));
}

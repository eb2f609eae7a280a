import { Option } from "commander";
import type { ReleaseExpectation } from "../release/deploy/index.ts";
import { readHelmVariables } from "./helm/helm-variables.ts";
import { addGlobalFlags } from "./helm/refused-flags.ts";
import { parseDurationFlag, parseHistoryMax, parseLabels, parseParallelism, parseWait } from "./parse-argument.ts";
import { readPflagArguments } from "./pflag-arguments.ts";
import type { OptionsOf, TypedCommand } from "./typed-command.ts";
import { typedOption } from "./typed-option.ts";

type Values = readonly unknown[];

export const releaseHelp = "the name of the release; its namespace is that of -n, or of the context";
export const sourceHelp =
  "files, folders, http(s) URLs, - for standard input; or a chart: a folder, a .tgz, repository/name, a URL, oci://…";

/** Adds the argument that names a release. */
export function addReleaseArgument<A extends Values, O>(command: TypedCommand<A, O>) {
  return command.argument("<release>", releaseHelp);
}

/** Adds the argument that names manifests. */
export function addSourceArgument<A extends Values, O>(command: TypedCommand<A, O>) {
  return command.argument("<source...>", sourceHelp);
}

/** Adds the options that select a cluster and a namespace in it. `otherwise` is the namespace when none is named. */
export function addClusterOptions<A extends Values, O>(
  command: TypedCommand<A, O>,
  namespace = "the namespace of objects that name none",
  otherwise: "the context's" | "all" = "the context's",
) {
  return command
    .option("--context <name>", "the context of the kubeconfig to use")
    .spelling("--kube-context <name>", "context")
    .option("--kubeconfig <file>", "the kubeconfig to use (default: $KUBECONFIG, else ~/.kube/config)")
    .option("-n, --namespace <name>", `${namespace} (default: ${otherwise})`);
}

/**
 * Adds the options that select the cluster and the namespace of a release. What they leave open, Helm's variables say; the
 * flags that all of Helm's commands have are taken or refused.
 */
export function addReleasePlaceOptions<A extends Values, O>(command: TypedCommand<A, O>, namespace?: string) {
  readHelmVariables(command.command);
  addGlobalFlags(command.command);
  return addClusterOptions(command, namespace);
}

/** Adds the options of every command that writes to a cluster and waits. */
export function addRunOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addLimitOptions(command).addOption(outputOption(["text", "ndjson"]));
}

/** Adds the options that limit how long a run takes and how much it does at once, and say whose logs it shows. */
export function addLimitOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .addOption(
      typedOption("--timeout <duration>", "how long it may take in all (90s, 10m, 1h30m)")
        .argParser(parseDurationFlag)
        .default(600_000, "10m"),
    )
    .addOption(
      typedOption("--scheduling-timeout <duration>", "how long pods may find no node before that is a failure")
        .argParser(parseDurationFlag)
        .default(120_000, "2m"),
    )
    .addOption(typedOption("--parallel <count>", "how many objects are applied or deleted at once").argParser(parseParallelism).default(20))
    .addOption(typedOption("--no-logs", "do not show what hooks and Jobs write while they run"))
    .addOption(typedOption("--follow-logs", "also show what workloads write until they are ready").default(false).conflicts(["logs"]));
}

/** Adds the options of every command that changes a release or runs its hooks. */
export function addOperationOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addRunOptions(command).addOption(takeOverPendingOption());
}

export function recordingOption() {
  return typedOption("--no-recording", "keep no recording of the run for sluice timeline");
}

export function takeOverPendingOption() {
  return typedOption("--take-over-pending", "take over a revision that Helm has begun and not ended, without waiting for it").default(
    false,
  );
}

const deleteDataHelp = "delete volume claims, and definitions that still have objects, too";

/** Adds the options that shape the plan of a deploy: what it may do, and how far it waits. */
export function addPlanOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addPolicyOptions(addWaitOptions(command));
}

/** Adds the options that say what a deploy may do to objects. */
export function addPolicyOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .flag("--force-conflicts", "take over fields that others own")
    .flag("--take-ownership", "adopt objects that are there and belong to no release, or to a deleted one")
    .flag("--delete-data", deleteDataHelp)
    .addOption(noHooksOption());
}

/** Adds the options that say how a plan is shown, and where it is kept. */
export function addPlanOutputOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .addOption(
      typedOption("-o, --output <format>", "how to show it: a tree, JSON, or a graph for Mermaid or Graphviz")
        .choices(["tree", "json", "mermaid", "dot"])
        .default("tree"),
    )
    .option("--no-diff", "leave out what changes inside each object")
    .option("--save <file>", "keep the plan for --use-plan; readable by its owner alone, for it holds secrets");
}

/** Adds the options that shape a deletion. */
export function addDeletionOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .flag("--delete-data", deleteDataHelp)
    .addOption(noHooksOption())
    .flag("--keep-history", "keep the records, as those of a release that was");
}

export const revisionHelp = "the revision to go back to (default: the one that was deployed before)";

/** `conflicts` are the options that shape the plan: a saved one has settled them. */
export function usePlanOption(conflicts: readonly string[]) {
  return typedOption("--use-plan <file>", "do exactly what sluice plan --save kept there, or refuse when it no longer fits").conflicts([
    ...conflicts,
  ]);
}

function noHooksOption() {
  return typedOption("--no-hooks", "run no hooks");
}

/** Adds the options of every command that writes a revision. */
export function addDeployOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addPlanOptions(command).addOption(historyMaxOption()).addOption(recordingOption());
}

/** Adds the options that show a run on a page while it lasts. */
export function addDashboardOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .addOption(
      typedOption("--dashboard", "serve a dashboard of this run on loopback, and end it with the run").default(false).conflicts(["dryRun"]),
    )
    .flag("--open", "with --dashboard: open it in the browser");
}

export function historyMaxOption() {
  return typedOption("--history-max <count>", "how many revisions are kept; 0 keeps all").argParser(parseHistoryMax).default(10);
}

/** Adds the options that say what is written down of a deploy. */
export function addRecordOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command.addOption(descriptionOption()).addOption(
    typedOption("-l, --labels <labels>", "labels for the record of the release: team=shop,tier=1; tier=null removes one")
      .argParser((text, before: Readonly<Record<string, string>>) => ({ ...before, ...parseLabels(text) }))
      .default({}, "none"),
  );
}

export function descriptionOption() {
  return typedOption("--description <text>", "what the history says of it");
}

export function detailedExitCodeOption() {
  return typedOption("--detailed-exit-code", "exit with 3 when there is something to change, 0 when there is not").default(false);
}

export function createNamespaceOption() {
  return typedOption("--create-namespace", "make the release's namespace when it is not there").default(false);
}

export function autoRollbackOption() {
  return typedOption("--auto-rollback", "undo a deploy that fails: back to the revision before, or away with the first one").default(false);
}

/** Adds `--wait` and `--no-wait`. Helm's words for the same are taken, too, and Jobs are waited for in any case. */
export function addWaitOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  readPflagArguments(command.command, { "--wait": "all" }, { separate: true });
  command.command.addOption(new Option("--wait-for-jobs").hideHelp());
  return command
    .addOption(
      typedOption("--wait [what]", "until when to wait: all, until everything is ready; hooks, for the hooks alone (Helm's manner)")
        .choices(["all", "hooks"])
        .argParser(parseWait)
        .default(true, "all"),
    )
    .negation("--no-wait", "do not wait until the objects are ready");
}

/** `verb` says what the command does to the embedded cluster. */
export function embeddedOption(verb: string) {
  return typedOption("--embedded", `${verb} to a new embedded cluster that ends with the command`).conflicts(["context", "kubeconfig"]);
}

/** The first of the formats is the default. */
export function outputOption<const Format extends string>(formats: readonly [Format, ...Format[]]) {
  return typedOption("-o, --output <format>", "how to tell of it").choices(formats).default(formats[0]);
}

/** Which cluster and namespace the command line names. */
export type ClusterFlags = OptionsOf<typeof addClusterOptions> & OptionsOf<typeof embeddedOption>;
/** How far a command waits: `--no-wait` is `false`, `--wait=hooks` waits for hooks alone, as Helm does. */
export type WaitFlag = OptionsOf<typeof addWaitOptions>;
/** What a run may do to the objects of others. Not every command has all of them. */
export type PolicyFlags = Partial<OptionsOf<typeof addPlanOptions> & OptionsOf<typeof recordingOption>>;
/** How a plan is shown, and where it is kept. */
export type PlanOutputFlags = OptionsOf<typeof addPlanOutputOptions>;
/** The options of every command that works on a release. */
export type ReleaseFlags = ClusterFlags &
  PolicyFlags &
  OptionsOf<typeof addOperationOptions> &
  Partial<OptionsOf<typeof addDashboardOptions>>;
/** The options of every command that installs or upgrades a release. */
export type DeployFlags = ReleaseFlags &
  OptionsOf<typeof addDeployOptions> &
  OptionsOf<typeof createNamespaceOption> &
  OptionsOf<typeof autoRollbackOption> &
  DeployTerms;
/** Whether the history that was kept of a deleted release is deleted. */
export type PurgeFlag = { readonly purge?: boolean };
/** What has to be so of the release before, what its record says, and whether its notes are kept back. Not every command has them. */
export type DeployTerms = Partial<OptionsOf<typeof addRecordOptions>> & {
  readonly expects?: ReleaseExpectation;
  readonly hideNotes?: boolean;
};

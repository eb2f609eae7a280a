import { addChartOptions, addRenderOptions, addValueOptions, skipCrdsOption } from "../chart/chart-options.ts";
import {
  addDashboardOptions,
  addReleasePlaceOptions,
  addLimitOptions,
  addPolicyOptions,
  addRecordOptions,
  createNamespaceOption,
  historyMaxOption,
  recordingOption,
  takeOverPendingOption,
} from "../shared-options.ts";
import type { OptionsOf, TypedCommand } from "../typed-command.ts";
import { typedOption } from "../typed-option.ts";
import { readPflagArguments } from "../pflag-arguments.ts";
import { refuseChartFlags, refuseDeployFlags } from "./refused-flags.ts";

type Values = readonly unknown[];

/** Helm's words for how far it waits. Booleans are those of Helm 3. */
export const waitStrategies = ["watcher", "legacy", "hookOnly", "true", "false"] as const;
const dryRunModes = ["client", "server", "none"] as const;

/** The heading of Helm's commands in the help of the program. */
export const helmGroup = "As Helm's users type it:";

/** Adds what `install` and `upgrade` have in common. */
export function addHelmDeployOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  readPflagArguments(command.command, { "--wait": "watcher", "--dry-run": "client" });
  refuseChartFlags(command.command);
  refuseDeployFlags(command.command);
  return addHelmOwnOptions(addDashboardOptions(addRecordOptions(addDeploySettings(addHelmChartOptions(addReleasePlaceOptions(command))))));
}

/** Adds the options of `deploy` that are called so by Helm, too, or that Helm has none of. */
function addDeploySettings<A extends Values, O>(command: TypedCommand<A, O>) {
  return addPolicyOptions(addLimitOptions(command))
    .addOption(takeOverPendingOption())
    .addOption(createNamespaceOption())
    .addOption(historyMaxOption())
    .addOption(recordingOption())
    .addOption(skipCrdsOption());
}

/** Adds the options of every command that renders a chart. */
export function addHelmChartOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addRenderOptions(addValueOptions(addChartOptions(command))).flag(
    "--dependency-update",
    "fetch what charts/ lacks of the chart's dependencies first",
  );
}

function addHelmOwnOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return addHelmWaitOptions(command)
    .flag("--rollback-on-failure", "undo it when it fails, as deploy --auto-rollback does")
    .flag("--atomic", "the same, as Helm 3 calls it")
    .addOption(
      typedOption("--dry-run [mode]", "change nothing: client prints the manifests, server shows what would change, as plan does").choices(
        dryRunModes,
      ),
    )
    .flag("--hide-notes", "do not print the chart's notes")
    .addOption(typedOption("--server-side [mode]", "objects are applied by the server in any case").choices(["true", "auto"]))
    .addOption(
      typedOption("-o, --output <format>", "how to tell of it; json and yaml print the release at the end")
        .choices(["table", "json", "yaml", "ndjson"])
        .default("table"),
    );
}

/** Adds `--wait`, which Sluice does anyway, and its kin. */
function addHelmWaitOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .addOption(
      typedOption("--wait [strategy]", "until when to wait: watcher or legacy, until everything is ready; hookOnly, for the hooks alone")
        .choices(waitStrategies)
        .default("watcher"),
    )
    .flag("--wait-for-jobs", "jobs are waited for in any case");
}

/** Adds how a release gets a name when none is given. */
export function addNameOptions<A extends Values, O>(command: TypedCommand<A, O>) {
  return command
    .flag("-g, --generate-name", "name it after the chart and the time")
    .option("--name-template <template>", "name it as this template says");
}

export type HelmDeployFlags = OptionsOf<typeof addHelmDeployOptions>;

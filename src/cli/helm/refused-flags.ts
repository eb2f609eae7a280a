import { Option, type Command } from "commander";

/** A flag of Helm, and why it is refused with what to do instead. */
type RefusedFlags = Readonly<Record<string, string>>;

const kubeconfigRemedy = "a kubeconfig says how a cluster is reached: name one with --kubeconfig";

/** How Helm's commands reach a cluster, besides a kubeconfig. */
const refusedAccess: RefusedFlags = {
  "--kube-apiserver <address>": kubeconfigRemedy,
  "--kube-as-group <group>": kubeconfigRemedy,
  "--kube-as-user <name>": kubeconfigRemedy,
  "--kube-ca-file <file>": kubeconfigRemedy,
  "--kube-insecure-skip-tls-verify": kubeconfigRemedy,
  "--kube-tls-server-name <name>": kubeconfigRemedy,
  "--kube-token <token>": kubeconfigRemedy,
};

/** Other flags of all of Helm's commands. */
const refusedEverywhere: RefusedFlags = {
  "--registry-config <file>": "set HELM_REGISTRY_CONFIG instead",
  "--repository-cache <folder>": "set HELM_REPOSITORY_CACHE instead",
  "--repository-config <file>": "set HELM_REPOSITORY_CONFIG instead",
  "--content-cache <folder>": "set HELM_CONTENT_CACHE instead",
  "--color <when>": "set NO_COLOR or FORCE_COLOR instead",
  "--colour <when>": "set NO_COLOR or FORCE_COLOR instead",
};

/** Flags of commands that render a chart. */
const refusedForCharts: RefusedFlags = {
  "--enable-dns": "templates get nothing from the network: give the address as a value",
};

const replacement = "objects are never replaced: --force-conflicts takes fields over, and an immutable one needs its object deleted first";

/** Flags of commands that deploy a chart. */
const refusedForDeploys: RefusedFlags = {
  "--force": replacement,
  "--force-replace": replacement,
  "--recreate-pods": "change an annotation of the pod template instead",
  "--disable-openapi-validation": "the API server checks every object in a dry run: mend what it finds",
  "--hide-secret": "--dry-run=server shows what would change, with secrets hidden",
};

/** Helm's `template` takes these, and what it prints does not depend on them. */
const ignoredByTemplate = [
  "--create-namespace",
  "--wait [strategy]",
  "--wait-for-jobs",
  "--timeout <duration>",
  "--atomic",
  "--rollback-on-failure",
  "--description <text>",
  "--skip-crds",
  "--take-ownership",
  "--hide-notes",
];

/** They limit how fast a cluster is asked, which no command that reads a little needs. */
const limitFlags = ["--qps <number>", "--burst-limit <number>"];

/** Adds what all of Helm's commands take, or are refused. `--debug` asks for more words; Sluice says all it has to say. */
export function addGlobalFlags(command: Command): void {
  ignore(command, ["--debug"]);
  refuse(command, { ...refusedAccess, ...refusedEverywhere });
  for (const syntax of limitFlags) {
    const option = new Option(syntax).hideHelp();
    command.addOption(option);
    command.on(`option:${option.name()}`, () => {
      if (command.options.some(({ long }) => long === "--parallel"))
        command.error(`error: ${option.long} is not taken: --parallel says how much is done at once`);
    });
  }
}

/** Adds the same to a command that asks no cluster: whichever its user names, the command does the same. */
export function addGlobalFlagsWithoutCluster(command: Command): void {
  ignore(command, ["--debug", "-n, --namespace <name>", "--kubeconfig <file>", "--kube-context <name>"]);
  ignore(command, [...Object.keys(refusedAccess), ...limitFlags]);
  refuse(command, refusedEverywhere);
}

export function refuseChartFlags(command: Command): void {
  refuse(command, refusedForCharts);
}

export function refuseDeployFlags(command: Command): void {
  refuse(command, refusedForDeploys);
}

export function addTemplateFlags(command: Command): void {
  ignore(command, ignoredByTemplate);
  refuse(command, {
    "--validate": "no cluster is asked: sluice install --dry-run=server shows what a cluster makes of it",
    "--disable-openapi-validation": "no cluster is asked, so nothing is validated: leave it out",
  });
}

export function refuseRollbackFlags(command: Command): void {
  refuse(command, {
    "--force": replacement,
    "--force-replace": replacement,
    "--recreate-pods": "change an annotation of the pod template instead",
    "--cleanup-on-fail": "what a failed rollback has made stays, and goes with the next deploy or rollback that does not want it",
  });
}

/** `status` shows all objects and the description of a revision in any case. */
export function addStatusFlags(command: Command): void {
  ignore(command, ["--show-resources", "--show-desc"]);
  refuse(command, {
    "--revision <number>": "status tells how the objects are now: sluice get all RELEASE --revision NUMBER shows an earlier revision",
  });
}

/** A cluster that `lint` is told of is asked, so what leads to one counts. */
export function addLintFlags(command: Command): void {
  addGlobalFlags(command);
  refuse(command, { "--with-subcharts": "name the charts in charts/ one by one: sluice lint CHART/charts/NAME" });
}

export function refuseGetFlags(command: Command): void {
  refuse(command, { "--template <text>": "get values and get metadata print JSON for other programs with -o json" });
}

function ignore(command: Command, flags: readonly string[]): void {
  for (const syntax of flags) command.addOption(new Option(syntax).hideHelp());
}

function refuse(command: Command, flags: RefusedFlags): void {
  for (const [syntax, remedy] of Object.entries(flags)) {
    const option = new Option(syntax).hideHelp();
    command.addOption(option);
    command.on(`option:${option.name()}`, () => command.error(`error: ${option.long} is not taken: ${remedy}`));
  }
}

import { statSync } from "node:fs";
import { RealClock } from "../../core/clock/index.ts";
import { renderRelease } from "../../release/chart/index.ts";
import { checkRelease, type ReleaseExpectation } from "../../release/deploy/index.ts";
import { helmJsonOf, historyOf } from "../../release/record/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import { chartRequestOf } from "../chart/chart-request.ts";
import { reuseModeOf } from "../chart/read-user-values.ts";
import type { InstallFlags, UpgradeFlags } from "../command-group/helm.ts";
import { contextNamespace } from "../context-namespace.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { formatOutput } from "../format-output.ts";
import { deployFlagsOf } from "../helm/deploy-flags.ts";
import type { HelmDeployFlags } from "../helm/helm-options.ts";
import { nameAndChart } from "../helm/name-and-chart.ts";
import { updateMissingDependencies } from "../helm/update-missing-dependencies.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import { deployChartSource } from "./deploy-chart.ts";
import { plan } from "./plan.ts";
import { render } from "./render.ts";

/** Deploys a chart as a new release: `[NAME] CHART`, as `helm install` takes them. */
export async function install(
  first: string | undefined,
  second: string | undefined,
  options: InstallFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { name, chart } = nameAndChart(first, second, options, new RealClock());
  const terms = { expects: options.replace ? "replaceable" : "new", ...newValues } as const;
  if (options.dryRun !== "client") return deployAsHelm(name, chart, { ...options, ...terms }, terminal, signal);
  await checkDryRun(chart, options, terminal, signal);
  const shown = { isUpgrade: false, includeCrds: false, showOnly: [], skipTests: false, apiVersions: [], notes: !options.hideNotes };
  const namespace = await contextNamespace(options);
  return render(chart, { ...options, ...shown, release: name, namespace }, terminal, signal);
}

/** An installation takes no values of revisions before. */
const newValues: ReuseFlags = { resetValues: true, reuseValues: false, resetThenReuseValues: false };

/** Deploys a chart as the next revision of a release, as `helm upgrade` does. */
export async function upgrade(
  name: string,
  chart: string,
  options: UpgradeFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  if (options.cleanupOnFail && !options.rollbackOnFailure && !options.atomic)
    throw new UsageFault("--cleanup-on-fail is taken with --rollback-on-failure only, which goes back to the revision before");
  const createNamespace = options.createNamespace && options.install;
  const terms = { ...(options.install ? {} : { expects: "existing" as const }), createNamespace };
  if (options.dryRun !== "client") return deployAsHelm(name, chart, { ...options, ...terms }, terminal, signal);
  await checkDryRun(chart, options, terminal, signal);
  return printUpgrade(name, chart, { ...options, ...terms }, terminal, signal);
}

type TermFlags = HelmDeployFlags & ReuseFlags & { readonly expects?: ReleaseExpectation };

async function deployAsHelm(name: string, chart: string, flags: TermFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  refuseManifests(name, chart);
  await updateMissingDependencies(chart, flags, terminal, signal);
  const { output } = flags;
  const options = deployFlagsOf(flags);
  if (flags.dryRun === "server") {
    if (output === "yaml" || output === "ndjson") throw new UsageFault(`--dry-run=server has no -o ${output}: it has json`);
    const shown = { output: output === "json" ? output : "tree", diff: true, detailedExitCode: false } as const;
    return plan(name, [chart], { ...options, ...shown }, terminal, signal);
  }
  if (output !== "json" && output !== "yaml") return deployChartSource(chart, name, options, terminal, signal);
  // The release alone goes to standard output.
  const { screen: _screen, ...plain } = terminal;
  const code = await deployChartSource(chart, name, options, { ...plain, out: terminal.err }, signal);
  if (code === exitCodes.ok) await printRelease(name, flags, output, terminal, signal);
  return code;
}

async function printRelease(
  name: string,
  flags: HelmDeployFlags,
  output: "json" | "yaml",
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  await withCluster(flags, terminal, async ({ cluster }) => {
    const revision = await historyOf(cluster).latest({ name, namespace: cluster.namespace }, { signal });
    if (revision !== undefined) terminal.out(formatOutput(helmJsonOf(revision), output));
  });
}

async function checkDryRun(chart: string, flags: HelmDeployFlags, terminal: Terminal, signal: AbortSignal): Promise<void> {
  if (flags.output !== "table") throw new UsageFault(`--dry-run=client prints manifests: leave out -o ${flags.output}`);
  await updateMissingDependencies(chart, flags, terminal, signal);
}

/** Prints the manifests of the next revision, with the values that it would have. */
async function printUpgrade(name: string, chart: string, flags: TermFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const request = await chartRequestOf(chart, flags, reuseModeOf(flags), terminal, signal);
  return withCluster(flags, terminal, async ({ cluster }) => {
    const release = { name, namespace: cluster.namespace };
    await checkRelease(release, flags.expects, cluster, { signal });
    const { about } = await renderRelease(request, release, cluster, { signal });
    const hooks = flags.hooks ? about.hooks.map(({ path, manifest }) => `---\n# Source: ${path}\n${manifest}\n`) : [];
    terminal.out([about.manifest, ...hooks].join("").trimEnd());
    if (!flags.hideNotes && about.notes.trim() !== "") terminal.err(`NOTES:\n${about.notes.trim()}`);
    return exitCodes.ok;
  });
}

function refuseManifests(name: string, chart: string): void {
  if (/\.(ya?ml|json)$/.test(chart) && statSync(chart, { throwIfNoEntry: false })?.isFile() === true)
    throw new UsageFault(`${chart} is no chart: sluice deploy ${name} ${chart} deploys manifests`);
}

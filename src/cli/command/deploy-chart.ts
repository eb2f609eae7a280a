import { renderRelease, type ChartRequest } from "../../release/chart/index.ts";
import { checkRelease, deploy as deployRelease, waitForNamespace } from "../../release/deploy/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import { chartRequestOf, type ChartFlags } from "../chart/chart-request.ts";
import { reuseModeOf } from "../chart/read-user-values.ts";
import { exitCodes } from "../failure.ts";
import { releaseTermsOf, revisionOptionsOf, runOnRelease, operationPolicyOf, type ReleaseOperation } from "../run-on-release.ts";
import type { DeployFlags } from "../shared-options.ts";
import type { Terminal } from "../terminal.ts";

/** Loads the chart of a source and deploys it as a release. */
export async function deployChartSource(
  chart: string,
  name: string,
  options: DeployFlags & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const chartRequest = await chartRequestOf(chart, options, reuseModeOf(options), terminal, signal);
  return deployChart(name, chartRequest, options, terminal, signal);
}

/** Deploys a chart as a release, and prints its notes when that has succeeded. */
export async function deployChart(
  name: string,
  chartRequest: ChartRequest,
  options: DeployFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace, hideNotes = false, expects } = options;
  let notes = "";
  const work: ReleaseOperation = async function* (cluster, release, how) {
    yield* waitForNamespace(release, createNamespace, cluster, how);
    // A name that cannot be used is told before what is wrong with the chart.
    await checkRelease(release, expects, cluster, { signal });
    const request = await renderRelease(chartRequest, release, cluster, { signal });
    notes = request.about.notes.trim();
    yield* deployRelease({ release, createNamespace, ...request, ...releaseTermsOf(options), ...operationPolicyOf(options) }, cluster, {
      ...how,
      ...revisionOptionsOf(options),
    });
  };
  const code = await runOnRelease({ name, command: "deploy", work }, options, terminal, signal);
  if (code === exitCodes.ok && options.output === "text" && notes !== "" && !hideNotes) terminal.out(`\nNOTES:\n${notes}`);
  return code;
}

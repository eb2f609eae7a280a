import { deploy as deployRelease, mayCreateNamespace, waitForNamespace } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import type { ChartFlags } from "../chart/chart-request.ts";
import { findChartSource } from "../chart/find-chart-source.ts";
import { releaseTermsOf, revisionOptionsOf, runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { DeployFlags } from "../shared-options.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";
import { runSavedPlan } from "./use-plan.ts";

/** Deploys the manifests or the chart of the sources as a release. */
export async function deploy(
  name: string,
  sources: readonly string[],
  options: DeployFlags & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace } = options;
  const chart = findChartSource(sources, options);
  if (chart !== undefined) {
    // The renderer is a third of the code that a deploy loads, so only charts load it.
    const { deployChartSource } = await import("./deploy-chart.ts");
    return deployChartSource(chart, name, options, terminal, signal);
  }
  const loaded = await load(sources, sourceReaders, { signal });
  return runOnRelease(
    {
      name,
      command: "deploy",
      async *work(cluster, release, how) {
        const request = { release, ...loaded, createNamespace, ...releaseTermsOf(options), ...operationPolicyOf(options) };
        // What is wrong with manifests is told also when no cluster answers.
        if (loaded.invalid === undefined) yield* waitForNamespace(release, mayCreateNamespace(request), cluster, how);
        yield* deployRelease(request, cluster, { ...how, ...revisionOptionsOf(options) });
      },
    },
    options,
    terminal,
    signal,
  );
}

/** Does what a saved plan for a deploy says. */
export function deployPlan(
  file: string,
  name: string | undefined,
  options: DeployFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return runSavedPlan({ file, command: "deploy", name, how: revisionOptionsOf(options) }, options, terminal, signal);
}

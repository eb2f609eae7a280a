import { deploy as deployRelease, usePlan } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import { releaseText } from "../../release/record/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import type { ChartFlags } from "../chart/chart-request.ts";
import { findChartSource } from "../chart/find-chart-source.ts";
import { UsageFault } from "../failure.ts";
import { readPlan } from "../plan-file.ts";
import { revisionOptionsOf, runOnRelease, operationPolicyOf } from "../run-on-release.ts";
import type { DeployFlags } from "../shared-options.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";

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
  const manifests = await load(sources, sourceReaders, { signal });
  return runOnRelease(
    {
      name,
      command: "deploy",
      work: (cluster, release, how) =>
        deployRelease({ release, manifests, createNamespace, ...operationPolicyOf(options) }, cluster, {
          ...how,
          ...revisionOptionsOf(options),
        }),
    },
    options,
    terminal,
    signal,
  );
}

/** Executes a saved plan, or refuses when it no longer fits. A name and a namespace, where given, must be those of the plan. */
export async function deployPlan(
  file: string,
  name: string | undefined,
  options: DeployFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const saved = await readPlan(file);
  const { release } = saved.proposal;
  const asked = { name: name ?? release.name, namespace: options.namespace ?? release.namespace };
  if (asked.name !== release.name || asked.namespace !== release.namespace)
    throw new UsageFault(`use the plan ${file}`, `it is for ${releaseText(release)}, not for ${releaseText(asked)}: leave the name out`);
  return runOnRelease(
    {
      name: release.name,
      command: "deploy",
      work: (cluster, _release, how) => usePlan(saved, cluster, { ...how, ...revisionOptionsOf(options) }),
    },
    { ...options, namespace: release.namespace },
    terminal,
    signal,
  );
}

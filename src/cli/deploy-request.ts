import type { Cluster } from "../kube/index.ts";
import type { LoadedManifests } from "../lang/yaml/index.ts";
import { renderRelease, type ChartRequest } from "../release/chart/index.ts";
import { checkRelease, type DeployRequest } from "../release/deploy/index.ts";
import { load } from "../release/load/index.ts";
import type { ReuseFlags } from "./chart/chart-options.ts";
import { chartRequestOf, type ChartFlags } from "./chart/chart-request.ts";
import { findChartSource } from "./chart/find-chart-source.ts";
import { reuseModeOf } from "./chart/read-user-values.ts";
import { operationPolicyOf, releaseTermsOf } from "./run-on-release.ts";
import type { DeployTerms, PolicyFlags } from "./shared-options.ts";
import { sourceReaders } from "./source-readers.ts";
import type { Terminal } from "./terminal.ts";

type DeployRequestFlags = PolicyFlags & ChartFlags & ReuseFlags & DeployTerms & { readonly createNamespace: boolean };

/** Loads the sources, and returns what makes the request of a deploy to a cluster: a chart may look things up there. */
export async function loadDeployRequest(
  name: string,
  sources: readonly string[],
  options: DeployRequestFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<(cluster: Cluster) => Promise<DeployRequest>> {
  const desired = await desiredIn(sources, options, terminal, signal);
  const { createNamespace, expects } = options;
  return async (cluster) => {
    const release = { name, namespace: cluster.namespace };
    await checkRelease(release, expects, cluster, { signal });
    const rendered = "chart" in desired ? await renderRelease(desired, release, cluster, { signal }) : desired;
    return { release, ...rendered, createNamespace, ...releaseTermsOf(options), ...operationPolicyOf(options) };
  };
}

/** The desired state of the sources: manifests, or a chart that has yet to be rendered for the cluster. */
async function desiredIn(
  sources: readonly string[],
  options: ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChartRequest | LoadedManifests> {
  const chart = findChartSource(sources, options);
  if (chart === undefined) return load(sources, sourceReaders, { signal });
  return chartRequestOf(chart, options, reuseModeOf(options), terminal, signal);
}

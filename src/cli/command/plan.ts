import type { Cluster } from "../../kube/index.ts";
import { renderRelease, type ChartRequest } from "../../release/chart/index.ts";
import { checkRelease, proposeDeploy, type Proposal } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import type { LoadedManifests } from "../../lang/yaml/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import { chartRequestOf, type ChartFlags } from "../chart/chart-request.ts";
import { findChartSource } from "../chart/find-chart-source.ts";
import { reuseModeOf } from "../chart/read-user-values.ts";
import { exitCodes } from "../failure.ts";
import { operationPolicyOf, releaseTermsOf } from "../run-on-release.ts";
import { showProposal } from "../show-proposal.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import type { DeployTerms, PlanOutputFlags } from "../shared-options.ts";
import type { PlanFlags } from "../command-group/release.ts";

/** Prints what a deploy of the sources would do, and saves it with `--save`. Changes nothing. */
export async function plan(
  name: string,
  sources: readonly string[],
  options: PlanFlags & ChartFlags & ReuseFlags & DeployTerms,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withDeployProposal(name, sources, options, terminal, signal, async (proposal, cluster) => {
    await showProposal(proposal, cluster, { ...options, signal }, terminal);
    return options.detailedExitCode && !proposal.unchanged ? exitCodes.changes : exitCodes.ok;
  });
}

/** Proposes the deploy of the sources, and has `use` do something with it while the cluster is open. */
export async function withDeployProposal<T>(
  name: string,
  sources: readonly string[],
  options: Omit<PlanFlags, keyof PlanOutputFlags> & ChartFlags & ReuseFlags & DeployTerms,
  terminal: Terminal,
  signal: AbortSignal,
  use: (proposal: Proposal, cluster: Cluster) => Promise<T>,
): Promise<T> {
  const { createNamespace } = options;
  const desired = await desiredIn(sources, options, terminal, signal);
  return withCluster(options, terminal, async ({ cluster }) => {
    const release = { name, namespace: cluster.namespace };
    await checkRelease(release, options.expects, cluster, { signal });
    const rendered = "chart" in desired ? await renderRelease(desired, release, cluster, { signal }) : desired;
    const request = { release, ...rendered, createNamespace, ...releaseTermsOf(options), ...operationPolicyOf(options) };
    return use(await proposeDeploy(request, cluster, { signal }), cluster);
  });
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

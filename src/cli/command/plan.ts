import { renderRelease, type ChartRequest } from "../../release/chart/index.ts";
import { checkRelease, proposeDeploy } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import type { LocatedManifest } from "../../lang/yaml/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import { chartRequestOf, type ChartFlags } from "../chart/chart-request.ts";
import { findChartSource } from "../chart/find-chart-source.ts";
import { reuseModeOf } from "../chart/read-user-values.ts";
import { exitCodes } from "../failure.ts";
import { operationPolicyOf, releaseTermsOf } from "../run-on-release.ts";
import { openClusterSession } from "../cluster-session.ts";
import type { DeployTerms } from "../shared-options.ts";
import { showProposal } from "../show-proposal.ts";
import { sourceReaders } from "../source-readers.ts";
import type { Terminal } from "../terminal.ts";
import type { PlanFlags } from "../command-group/release.ts";

/** Prints what a deploy of the sources would do, and saves it with `--save`. Changes nothing. */
export async function plan(
  name: string,
  sources: readonly string[],
  options: PlanFlags & ChartFlags & ReuseFlags & DeployTerms,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace } = options;
  const desired = await desiredIn(sources, options, terminal, signal);
  const warn = (warning: string) => terminal.err(terminal.paint.warn(`warning: ${warning}`));
  const session = await openClusterSession(options, warn);
  try {
    const { cluster } = session;
    const release = { name, namespace: cluster.namespace };
    await checkRelease(release, options.expects, cluster, { signal });
    const rendered = "chart" in desired ? await renderRelease(desired, release, cluster, { signal }) : desired;
    const request = { release, ...rendered, createNamespace, ...releaseTermsOf(options), ...operationPolicyOf(options) };
    const proposal = await proposeDeploy(request, cluster, { signal });
    await showProposal(proposal, cluster, { ...options, signal }, terminal);
    return options.detailedExitCode && !proposal.unchanged ? exitCodes.changes : exitCodes.ok;
  } finally {
    session.close();
  }
}

/** The desired state of the sources: manifests, or a chart that has yet to be rendered for the cluster. */
async function desiredIn(
  sources: readonly string[],
  options: ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChartRequest | { readonly manifests: readonly LocatedManifest[] }> {
  const chart = findChartSource(sources, options);
  if (chart === undefined) return { manifests: await load(sources, sourceReaders, { signal }) };
  return chartRequestOf(chart, options, reuseModeOf(options), terminal, signal);
}

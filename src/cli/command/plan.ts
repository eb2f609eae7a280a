import type { Cluster } from "../../kube/index.ts";
import { proposeDeploy, type Proposal } from "../../release/deploy/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import type { ChartFlags } from "../chart/chart-request.ts";
import { loadDeployRequest } from "../deploy-request.ts";
import { exitCodes } from "../failure.ts";
import { showProposal } from "../show-proposal.ts";
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
  const requestFor = await loadDeployRequest(name, sources, options, terminal, signal);
  return withCluster(options, terminal, async ({ cluster }) =>
    use(await proposeDeploy(await requestFor(cluster), cluster, { signal }), cluster),
  );
}

import { lineFor } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { proposeRollback, type Proposal } from "../../release/deploy/index.ts";
import { readProposalDiffs } from "../../release/diff/index.ts";
import { releaseText } from "../../release/record/index.ts";
import type { ReuseFlags } from "../chart/chart-options.ts";
import type { ChartFlags } from "../chart/chart-request.ts";
import { operationPolicyOf } from "../run-on-release.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import { printComparison } from "./diff.ts";
import { withDeployProposal } from "./plan.ts";
import type { DiffOutputFlags, DiffRollbackFlags, DiffUpgradeFlags } from "../command-group/diff.ts";

/** Prints what a deploy of the sources would change. */
export async function diffUpgrade(
  name: string,
  sources: readonly string[],
  options: DiffUpgradeFlags & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withDeployProposal(name, sources, options, terminal, signal, (proposal, cluster) =>
    printProposal(proposal, cluster, options, terminal, signal),
  );
}

/** Prints what a rollback would change. */
export async function diffRollback(
  name: string,
  to: number | undefined,
  options: DiffRollbackFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withCluster(options, terminal, async ({ cluster }) => {
    const release = { name, namespace: cluster.namespace };
    const request = { release, ...(to === undefined ? {} : { to }), ...operationPolicyOf(options) };
    return printProposal(await proposeRollback(request, cluster, { signal }), cluster, options, terminal, signal);
  });
}

async function printProposal(
  proposal: Proposal,
  cluster: Cluster,
  options: DiffOutputFlags & { readonly hooks: boolean },
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { release, operation, revision, warnings } = proposal;
  for (const warning of warnings) terminal.err(terminal.paint.warn(`warning: ${lineFor(warning)}`));
  const changes = await readProposalDiffs(proposal, cluster, { signal, noHooks: !options.hooks });
  const target = operation === "rollback" ? ` (${revision.description})` : "";
  const title = `${operation} ${releaseText(release)}${target}`;
  const about = { release, operation, ...(operation === "rollback" ? { description: revision.description } : {}) };
  return printComparison({ title, about, kind: "plan", changes }, options, terminal);
}

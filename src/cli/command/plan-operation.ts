import { lineFor } from "../../core/fault/index.ts";
import { proposeDelete, proposeRollback, type Proposal } from "../../release/deploy/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { Release } from "../../release/record/index.ts";
import { progressJson, proposalLines } from "../../view/index.ts";
import { exitCodes } from "../failure.ts";
import { operationPolicyOf } from "../run-on-release.ts";
import type { ClusterFlags, PurgeFlag } from "../shared-options.ts";
import { showProposal } from "../show-proposal.ts";
import type { Terminal } from "../terminal.ts";
import { withCluster } from "../with-cluster.ts";
import type { DeleteFlags, RollbackFlags } from "../command-group/release.ts";
import type { PlanDeleteFlags, PlanRollbackFlags } from "../command-group/plan.ts";

type Propose = (release: Release, cluster: Cluster) => Promise<Proposal>;

/** Prints what a deletion of the release would do. */
export function planDelete(name: string, options: PlanDeleteFlags, terminal: Terminal, signal: AbortSignal): Promise<number> {
  return withProposal(name, options, terminal, deletion(options, signal), async (proposal, { cluster }) =>
    showProposal(proposal, cluster, { ...options, signal }, terminal),
  );
}

/** Prints what a rollback of the release would do. */
export function planRollback(
  name: string,
  to: number | undefined,
  options: PlanRollbackFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withProposal(name, options, terminal, restoration(to, options, signal), async (proposal, { cluster }) =>
    showProposal(proposal, cluster, { ...options, signal }, terminal),
  );
}

/** Prints what `delete` would do, in the form in which it reports a run. */
export function dryRunDelete(name: string, options: DeleteFlags & PurgeFlag, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const { keepHistory } = options;
  return withProposal(name, options, terminal, deletion(options, signal), (proposal, session) =>
    showDryRun(proposal, session, { ...options, keepHistory }, terminal),
  );
}

/** Prints what `rollback` would do, in the form in which it reports a run. */
export function dryRunRollback(
  name: string,
  to: number | undefined,
  options: RollbackFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  return withProposal(name, options, terminal, restoration(to, options, signal), (proposal, session) =>
    showDryRun(proposal, session, options, terminal),
  );
}

function deletion(options: Pick<PlanDeleteFlags, "deleteData" | "hooks"> & PurgeFlag, signal: AbortSignal): Propose {
  const { purge = false } = options;
  return (release, cluster) => proposeDelete({ release, purge, ...operationPolicyOf(options) }, cluster, { signal });
}

function restoration(to: number | undefined, options: PlanRollbackFlags | RollbackFlags, signal: AbortSignal): Propose {
  const target = to === undefined ? {} : { to };
  return (release, cluster) => proposeRollback({ release, ...target, ...operationPolicyOf(options) }, cluster, { signal });
}

type Session = { readonly cluster: Cluster; readonly name: string };

async function withProposal(
  name: string,
  options: ClusterFlags,
  terminal: Terminal,
  propose: Propose,
  show: (proposal: Proposal, session: Session) => Promise<void>,
): Promise<number> {
  return withCluster(options, terminal, async (session) => {
    const { cluster } = session;
    await show(await propose({ name, namespace: cluster.namespace }, cluster), session);
    return exitCodes.ok;
  });
}

/** As JSON a dry run is the event with which the run would begin. */
async function showDryRun(
  proposal: Proposal,
  { cluster, name }: Session,
  { output, keepHistory = false }: { readonly output: "text" | "ndjson"; readonly keepHistory?: boolean },
  { out, err, paint }: Terminal,
): Promise<void> {
  const { plan, warnings } = proposal;
  for (const warning of warnings) err(paint.warn(`warning: ${lineFor(warning)}`));
  if (output === "text") return proposalLines(proposal, { keepHistory }, paint).forEach((line) => out(line));
  const labels = { cluster: name, ...(plan.release === undefined ? {} : { release: plan.release }) };
  out(progressJson({ type: "planned", plan }, cluster.clock.now(), labels));
}

import { lineFor } from "../core/fault/index.ts";
import type { Cluster } from "../kube/index.ts";
import { readIdentity, type Proposal } from "../release/deploy/index.ts";
import { planDot, planMermaid, proposalJson, proposalLines } from "../view/index.ts";
import { savePlan } from "./plan-file.ts";
import type { PlanOutputFlags } from "./shared-options.ts";
import type { Terminal } from "./terminal.ts";

type ShowOptions = PlanOutputFlags & {
  readonly signal: AbortSignal;
  /** The deletion keeps the records. Default false. */
  readonly keepHistory?: boolean;
};

/** Prints a proposal with its warnings, and saves it with `--save`. */
export async function showProposal(proposal: Proposal, cluster: Cluster, options: ShowOptions, terminal: Terminal): Promise<void> {
  const { save, output, diff, signal, keepHistory = false } = options;
  const view = { diff, keepHistory };
  if (save !== undefined) {
    const identity = await readIdentity(cluster, proposal.release.namespace, { signal });
    await savePlan(save, { cluster: identity, proposal, ...(keepHistory ? { keepHistory } : {}) });
  }
  const { out, err, paint } = terminal;
  if (output !== "json") for (const warning of proposal.warnings) err(paint.warn(`warning: ${lineFor(warning)}`));
  if (output === "json") out(proposalJson(proposal, view));
  else if (output === "mermaid") out(planMermaid(proposal.plan));
  else if (output === "dot") out(planDot(proposal.plan));
  else for (const line of proposalLines(proposal, view, paint)) out(line);
  if (save !== undefined) err(`saved: sluice ${commandFor(proposal)} --use-plan ${save} does exactly this`);
}

/** The command that uses a saved plan. */
export function commandFor({ operation }: Pick<Proposal, "operation">): string {
  return operation === "install" || operation === "upgrade" ? "deploy" : operation;
}

import { lineFor } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { requestFor, type ChartOrder } from "../../release/chart/index.ts";
import { proposeDeploy, readIdentity, type Proposal } from "../../release/deploy/index.ts";
import { load } from "../../release/load/index.ts";
import { planDot, planMermaid, proposalJson, proposalLines } from "../../view/index.ts";
import type { Manifest } from "../../lang/yaml/index.ts";
import type { ReuseFlags } from "../chart/flags.ts";
import { orderOf, type ChartFlags } from "../chart/order.ts";
import { chartAmong } from "../chart/recognition.ts";
import { reuseOf } from "../chart/values.ts";
import { exitCodes } from "../failure.ts";
import { savePlan } from "../plan-file.ts";
import { termsOf, type TermFlags } from "../release-command.ts";
import { openSite, type SiteOptions } from "../site.ts";
import { surroundings } from "../surroundings.ts";
import type { Terminal } from "../terminal.ts";

export type PlanCommand = SiteOptions &
  TermFlags & {
    readonly createNamespace: boolean;
    readonly output: "tree" | "json" | "mermaid" | "dot";
    readonly diff: boolean;
    readonly detailedExitCode: boolean;
    readonly save?: string;
  };

/** Shows what deploying the sources as a release would do, and keeps it if asked to. Nothing is touched. */
export async function plan(
  name: string,
  sources: readonly string[],
  options: PlanCommand & ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { createNamespace, save } = options;
  const wanted = await wantedIn(sources, options, terminal, signal);
  const warn = (warning: string) => terminal.err(terminal.paint.warn(`warning: ${warning}`));
  const site = await openSite(options, warn);
  try {
    const { cluster } = site;
    const release = { name, namespace: cluster.namespace };
    const wants = "chart" in wanted ? await requestFor(wanted, release, cluster, { signal }) : wanted;
    const proposal = await proposeDeploy({ release, ...wants, createNamespace, ...termsOf(options) }, cluster, { signal });
    if (save !== undefined) await keep(proposal, save, cluster, signal);
    if (options.output !== "json") for (const warning of proposal.warnings) warn(lineFor(warning));
    show(proposal, options, terminal);
    if (save !== undefined) terminal.err(`saved: sluice deploy --use-plan ${save} does exactly this`);
    return options.detailedExitCode && !proposal.unchanged ? exitCodes.changes : exitCodes.ok;
  } finally {
    site.close();
  }
}

/** What the sources want deployed: manifests, or a chart that is yet to be rendered for the cluster. */
async function wantedIn(
  sources: readonly string[],
  options: ChartFlags & ReuseFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<ChartOrder | { readonly manifests: readonly Manifest[] }> {
  const chart = chartAmong(sources, options);
  if (chart === undefined) return { manifests: await load(sources, surroundings, { signal }) };
  return orderOf(chart, options, reuseOf(options), terminal, signal);
}

async function keep(proposal: Proposal, file: string, cluster: Cluster, signal: AbortSignal): Promise<void> {
  const identity = await readIdentity(cluster, proposal.release.namespace, { signal });
  await savePlan(file, { cluster: identity, proposal });
}

function show(proposal: Proposal, { output, diff }: PlanCommand, { out, paint }: Terminal): void {
  if (output === "json") return out(proposalJson(proposal, { diff }));
  if (output === "mermaid") return out(planMermaid(proposal.plan));
  if (output === "dot") return out(planDot(proposal.plan));
  for (const line of proposalLines(proposal, { diff }, paint)) out(line);
}

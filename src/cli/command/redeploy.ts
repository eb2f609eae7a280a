import type { ClusterType } from "../../sveltos/api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import type { Cluster } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { clusterText, profileText } from "../../view/index.ts";
import { formatOutput } from "../format-output.ts";
import { exitCodes, UsageFault } from "../failure.ts";
import { warnWithoutController } from "../fleet/controller-absence.ts";
import { withManagementCluster } from "../fleet/with-management-cluster.ts";
import type { Terminal } from "../terminal.ts";
import type { RedeployFlags } from "../command-group/redeploy.ts";
import { clusterRefIn, requireCluster, profileFilterText, matchesProfile, type ProfileFilter } from "../../sveltos/inspect/index.ts";
import { listSveltosObjects } from "../../sveltos/fleet/index.ts";
import { dependenciesFirst, ownerOf, resetSummary, type ResetResult } from "../../sveltos/redeploy/index.ts";

/**
 * Has all profiles of a cluster, or one of them, deployed to it again. Resets the status of each ClusterSummary, so that its
 * controller finds nothing that it has deployed.
 */
export async function redeployCluster(
  name: string | undefined,
  options: RedeployFlags,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { cluster, clusterType, profile, output, ...where } = options;
  if ((name === undefined) === (cluster === undefined)) throw new UsageFault("name one cluster, as the argument or with --cluster");
  const wanted = { name: name ?? cluster ?? "", type: clusterType, profile };
  const outcomes = await withManagementCluster(where, terminal, async ({ cluster: hub }) => {
    const summaries = await summariesFor(wanted, hub, signal);
    const done: ResetResult[] = [];
    for (const summary of dependenciesFirst(summaries)) done.push(await resetSummary(summary, hub, signal));
    await warnWithoutController(hub, terminal, signal, "nothing is deployed again before one runs");
    return done;
  });
  if (output === "text") show(outcomes, wanted.name, terminal);
  else terminal.out(formatOutput(outcomes, output));
  return exitCodes.ok;
}

type SummaryFilter = { readonly name: string; readonly type: ClusterType | undefined; readonly profile: ProfileFilter | undefined };

async function summariesFor({ name, type, profile }: SummaryFilter, hub: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const { namespace } = hub;
  const all = await listSveltosObjects(hub, "ClusterSummary", { namespace, signal });
  const here = all.filter(
    (summary) => clusterRefIn(summary).name === name && (type ?? clusterRefIn(summary).type) === clusterRefIn(summary).type,
  );
  if (here.length === 0) await requireCluster(hub, name, namespace, signal);
  if (new Set(here.map((summary) => clusterRefIn(summary).type)).size > 1)
    throw new UsageFault(`there are two clusters ${namespace}/${name}, one of each type: choose one with --cluster-type`);
  const chosen = here.filter((summary) => matchesProfile(ownerOf(summary), profile));
  if (profile !== undefined && chosen.length === 0)
    throw new Fault(`profile ${profileFilterText(profile)} is not deployed to ${namespace}/${name}`, undefined, { final: true });
  return chosen;
}

function show(outcomes: readonly ResetResult[], name: string, { out, err, paint }: Terminal): void {
  if (outcomes.length === 0) err(`no profile is deployed to cluster ${name}: there is nothing to deploy again`);
  for (const { cluster, profile, clusterSummary, reset: isReset } of outcomes) {
    const what = `${profileText(profile)} in ${clusterText(cluster)}`;
    const because = `ClusterSummary ${clusterSummary.namespace}/${clusterSummary.name}`;
    if (isReset) out(`${what} is deployed again (${because} is reset)`);
    else err(paint.warn(`warning: ${what} is being withdrawn, and left alone (${because})`));
  }
}

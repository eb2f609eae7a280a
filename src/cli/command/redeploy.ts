import { reset, statusOf } from "../../sveltos/deploy/index.ts";
import type { ClusterType } from "../../sveltos/api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isConflict, isNotFound, type Cluster } from "../../kube/index.ts";
import { refOf, stringsAt, type KubeObject } from "../../core/object/index.ts";
import { placeOf, profileText, type ClusterOutline, type ProfileOutline } from "../../view/index.ts";
import { dataText } from "../data.ts";
import { exitCodes, Usage } from "../failure.ts";
import { clusterIn, requireCluster } from "../fleet/cluster.ts";
import { listOwn } from "../fleet/own-objects.ts";
import { choiceText, isChosen, type ProfileChoice } from "../fleet/choice.ts";
import { profileOf } from "../fleet/profile.ts";
import { onCluster } from "../on-cluster.ts";
import type { SiteOptions } from "../site.ts";
import type { Terminal } from "../terminal.ts";

export type RedeployCommand = SiteOptions & {
  readonly cluster?: string;
  readonly clusterType?: ClusterType;
  readonly profile?: ProfileChoice;
  readonly output: "text" | "json" | "yaml";
};

/** What became of one ClusterSummary. One that is being withdrawn is left alone. */
type Outcome = {
  readonly cluster: ClusterOutline;
  readonly profile: ProfileOutline;
  readonly clusterSummary: { readonly namespace: string; readonly name: string };
  readonly reset: boolean;
};

/**
 * Asks that all profiles of a cluster, or one of them, are deployed to it again: the status of each ClusterSummary
 * forgets what it was deployed from, so that whoever deploys does all of it once more.
 */
export async function redeployCluster(
  name: string | undefined,
  options: RedeployCommand,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const { cluster, clusterType, profile, output, ...where } = options;
  if ((name === undefined) === (cluster === undefined)) throw new Usage("name one cluster, as the argument or with --cluster");
  const wanted = { name: name ?? cluster ?? "", type: clusterType, profile };
  const outcomes = await onCluster(where, terminal, async ({ cluster: hub }) => {
    const summaries = await summariesFor(wanted, hub, signal);
    const done: Outcome[] = [];
    for (const summary of dependenciesFirst(summaries)) done.push(await outcomeOf(summary, hub, signal));
    return done;
  });
  if (output === "text") show(outcomes, wanted.name, terminal);
  else terminal.out(dataText(outcomes, output));
  return exitCodes.ok;
}

type Wanted = { readonly name: string; readonly type: ClusterType | undefined; readonly profile: ProfileChoice | undefined };

async function summariesFor({ name, type, profile }: Wanted, hub: Cluster, signal: AbortSignal): Promise<readonly KubeObject[]> {
  const { namespace } = hub;
  const all = await listOwn(hub, "ClusterSummary", { namespace, signal });
  const here = all.filter((summary) => clusterIn(summary).name === name && (type ?? clusterIn(summary).type) === clusterIn(summary).type);
  if (here.length === 0) await requireCluster(hub, name, namespace, signal);
  if (new Set(here.map((summary) => clusterIn(summary).type)).size > 1)
    throw new Usage(`there are two clusters ${namespace}/${name}, one of each type: choose one with --cluster-type`);
  const chosen = here.filter((summary) => isChosen(ownerOf(summary), profile));
  if (profile !== undefined && chosen.length === 0)
    throw new Fault(`profile ${choiceText(profile)} is not deployed to ${namespace}/${name}`, undefined, { final: true });
  return chosen;
}

function ownerOf(summary: KubeObject): ProfileOutline {
  return profileOf(summary) ?? { kind: "ClusterProfile", name: "" };
}

/** Whoever is depended on comes first: a dependant that is done before it would count as up to date too soon. */
function dependenciesFirst(summaries: readonly KubeObject[]): readonly KubeObject[] {
  const byProfile = Map.groupBy(summaries, (summary) => ownerOf(summary).name);
  const seen = new Set<KubeObject>();
  const ordered: KubeObject[] = [];
  const visit = (summary: KubeObject) => {
    if (seen.has(summary)) return;
    seen.add(summary);
    for (const name of stringsAt(summary, "spec.clusterProfileSpec.dependsOn")) byProfile.get(name)?.forEach(visit);
    ordered.push(summary);
  };
  summaries.forEach(visit);
  return ordered;
}

async function outcomeOf(summary: KubeObject, hub: Cluster, signal: AbortSignal): Promise<Outcome> {
  const { namespace = "", name } = summary.metadata;
  const isReset = await resetStatus(summary, hub, signal);
  return { cluster: clusterIn(summary), profile: ownerOf(summary), clusterSummary: { namespace, name }, reset: isReset };
}

/** Whoever is deploying writes the same status: then what it has written is taken up. */
async function resetStatus(summary: KubeObject, hub: Cluster, signal: AbortSignal): Promise<boolean> {
  for (let live: KubeObject | undefined = summary; live !== undefined; live = await hub.find(refOf(summary), { signal })) {
    if (live.metadata.deletionTimestamp !== undefined) return false;
    try {
      await hub.replace({ ...live, status: reset(statusOf(live)) }, { subresource: "status", signal });
      return true;
    } catch (error) {
      if (!isConflict(error) && !isNotFound(error)) throw error;
    }
  }
  return false;
}

function show(outcomes: readonly Outcome[], name: string, { out, err, paint }: Terminal): void {
  if (outcomes.length === 0) err(`no profile is deployed to cluster ${name}: there is nothing to deploy again`);
  for (const { cluster, profile, clusterSummary, reset: isReset } of outcomes) {
    const what = `${profileText(profile)} in ${placeOf(cluster)}`;
    const because = `ClusterSummary ${clusterSummary.namespace}/${clusterSummary.name}`;
    if (isReset) out(`${what} is deployed again (${because} is reset)`);
    else err(paint.warn(`warning: ${what} is being withdrawn, and left alone (${because})`));
  }
}

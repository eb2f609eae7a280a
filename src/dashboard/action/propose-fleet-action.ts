import { Fault } from "../../core/fault/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { missingOf, type Right } from "../../release/rights/index.ts";
import { gvkOf, kinds } from "../../sveltos/api/index.ts";
import { findControllerAbsence, listSveltosObjects } from "../../sveltos/fleet/index.ts";
import { clusterRefIn, matchesProfile, requireCluster, requireProfile } from "../../sveltos/inspect/index.ts";
import { dependenciesFirst, ownerOf, resetSummary } from "../../sveltos/redeploy/index.ts";
import { clusterText, profileText } from "../../view/index.ts";
import type { ActionRequest, View } from "../api/index.ts";
import { missingRightText } from "./missing-right-text.ts";
import type { ActionContext, ActionResult, ActionRunOptions, ProposedAction } from "./proposed-action.ts";

/** More pairs of profile and cluster than this are counted only. */
const maxNamed = 200;

type ClusterRequest = Extract<ActionRequest, { type: "redeploy-cluster" }>;
type ProfileRequest = Extract<ActionRequest, { type: "redeploy-profile" }>;

/** Settles that the profiles of a cluster are deployed to it again. */
export async function proposeClusterRedeploy(request: ClusterRequest, at: ActionContext): Promise<ProposedAction> {
  const { kind, namespace, name, profile } = request;
  const { cluster: hub, context, signal } = at;
  const type = kind === "SveltosCluster" ? "Sveltos" : "Capi";
  const all = await listSveltosObjects(hub, "ClusterSummary", { namespace, signal });
  const summaries = all.filter((summary) => {
    const ref = clusterRefIn(summary);
    return ref.name === name && ref.namespace === namespace && (ref.type ?? type) === type && matchesProfile(ownerOf(summary), profile);
  });
  if (summaries.length === 0) await requireCluster(hub, name, namespace, signal);
  const which = profile === undefined ? "all profiles" : profileText(profile);
  const only = profile === undefined ? [] : ["--profile", profileText(profile)];
  const command = ["sluice", "redeploy", "cluster", name, "-n", namespace, "--cluster-type", type, ...only];
  const view = { type: "cluster", context, kind, namespace, name } as const;
  return fleetAction(dependenciesFirst(summaries), { title: `Redeploy ${which} to ${namespace}/${name}`, command, view }, at);
}

/** Settles that a profile is deployed again to all of its clusters. */
export async function proposeProfileRedeploy(request: ProfileRequest, at: ActionContext): Promise<ProposedAction> {
  const { kind, namespace, name } = request;
  const { cluster: hub, context, signal } = at;
  const all = await listSveltosObjects(hub, "ClusterSummary", { ...(kind === "Profile" ? { namespace } : {}), signal });
  const summaries = all.filter((summary) => {
    const owner = ownerOf(summary);
    return owner.kind === kind && owner.name === name && (owner.namespace ?? "") === namespace;
  });
  if (summaries.length === 0) await requireProfile(hub, { kind, name }, signal);
  const view = { type: "profile", context, kind, namespace, name } as const;
  return fleetAction(summaries, { title: `Redeploy ${kind}/${name} to all of its clusters`, view }, at);
}

type Named = { readonly title: string; readonly command?: readonly string[]; readonly view: View };

async function fleetAction(summaries: readonly KubeObject[], named: Named, at: ActionContext): Promise<ProposedAction> {
  const { cluster: hub, signal } = at;
  const { view, ...called } = named;
  const missing = await missingOf(rightsFor(summaries), hub, signal);
  const absence = await findControllerAbsence(hub, signal);
  const clusters = new Set(summaries.map((summary) => clusterText(clusterRefIn(summary))));
  const profiles = new Set(summaries.map((summary) => profileText(ownerOf(summary))));
  const summary = [
    `In the management cluster of context ${at.context}: ${countText(profiles.size, "profile")} in ${countText(clusters.size, "cluster")} are compared and applied again.`,
    "What is as it should be stays, and what was changed or deleted in the cluster is put right. No hook runs for what is there already.",
    ...(clusters.size > 1 ? ["All clusters are asked at once: maxUpdate does not hold this back."] : []),
  ];
  const refusals =
    summaries.length === 0 ? ["No profile is deployed here: there is nothing to deploy again."] : missing.map(missingRightText);
  return {
    preview: {
      ...called,
      verb: "Redeploy",
      summary,
      steps: summaries.slice(0, maxNamed).map((each) => `${profileText(ownerOf(each))} in ${clusterText(clusterRefIn(each))}`),
      changes: [],
      leftOut: Math.max(0, summaries.length - maxNamed),
      warnings: absence === undefined ? [] : ["No controller runs: nothing is deployed again before one does."],
      refusals,
    },
    view,
    run: (options) => resetAll(summaries, at, options),
  };
}

function rightsFor(summaries: readonly KubeObject[]): readonly Right[] {
  const { group } = gvkOf("ClusterSummary");
  const status = { verb: "update", group, resource: kinds.ClusterSummary.plural, subresource: "status" } as const;
  const byNamespace = Map.groupBy(summaries, ({ metadata }) => metadata.namespace ?? "");
  return [...byNamespace].map(([namespace, all]) => ({ ...status, namespace, names: all.map(({ metadata }) => metadata.name) }));
}

async function resetAll(
  summaries: readonly KubeObject[],
  { cluster: hub }: ActionContext,
  { signal }: ActionRunOptions,
): Promise<ActionResult> {
  let done = 0;
  try {
    const missing = await missingOf(rightsFor(summaries), hub, signal);
    if (missing.length > 0) return { state: "refused", because: missing.map(missingRightText).join(" ") };
    for (const summary of summaries) if ((await resetSummary(summary, hub, signal)).reset) done++;
    const left = summaries.length - done;
    const rest = left === 0 ? "" : ` ${left} ${left === 1 ? "is" : "are"} being withdrawn and left alone.`;
    return {
      state: "succeeded",
      because: `${countText(done, "ClusterSummary", "ClusterSummaries")} reset: the controller deploys them again.${rest}`,
    };
  } catch (error) {
    const reason = error instanceof Fault ? error.message : String(error);
    const state = signal.aborted ? "interrupted" : "failed";
    return { state, because: `${done} of ${summaries.length} ClusterSummaries are reset; the rest is as it was: ${reason}` };
  }
}

function countText(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

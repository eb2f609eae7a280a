import {
  clusterOfSummary,
  clusterProfileLabels,
  clusterReferredTo,
  clusterSummaryName,
  clusterText,
  deployedForCluster,
  gvkOf,
  owningProfileOf,
  referenceOf,
  type ClusterId,
  type ObjectReference,
  type ProfileOwner,
} from "../api/index.ts";
import type { Cluster } from "../../kube/index.ts";
import { isDeleting, listAt, refOf, type KubeObject } from "../../core/object/index.ts";
import { owningProfile } from "./cluster-summary-scope.ts";
import { keepsObject, tierOf } from "./object-claims.ts";
import type { AddonContext, ClusterSummaryScope } from "./addon-request.ts";
import { conflictText, isOwnedBy, type ProfileRef } from "./tier-conflict.ts";

type Options = { readonly signal: AbortSignal };

/**
 * Why a profile may not write a live object; undefined when it may. An object without an owner is adopted. An object of another
 * profile is taken over by a lower tier, and by anyone when its owner is gone or wants it no more. With equal tiers its owner
 * keeps it. The owner is read from the management cluster itself: a cache may not know it yet.
 */
export async function objectionToTakeOver(
  live: KubeObject,
  scope: ClusterSummaryScope,
  { hub }: Pick<AddonContext, "hub">,
  options: Options,
): Promise<string | undefined> {
  const found = owningProfileOf(live);
  if (found === undefined || isOwnedBy(live, scope.owner) || scope.owner.tier < found.tier) return undefined;
  const keeper = await findKeeper(live, found, (summary) => keepsObject(summary, refOf(live)), scope, hub, options);
  // Its tier was raised since it has written the object.
  if (keeper === undefined || scope.owner.tier < keeper.tier) return undefined;
  const { name, namespace } = live.metadata;
  return conflictText({ kind: live.kind, namespace: namespace ?? "", name }, referenceOf(live), found);
}

/**
 * Whether a live object that a profile has deployed is the profile's to remove: it owns it, or the owner that it names is gone.
 * The latter was to take the object over and was removed at the same time.
 */
export async function isOwnToRemove(
  live: KubeObject,
  scope: ClusterSummaryScope,
  { hub }: Pick<AddonContext, "hub">,
  options: Options,
): Promise<boolean> {
  if (isOwnedBy(live, scope.owner)) return true;
  const found = owningProfileOf(live);
  return (
    found !== undefined &&
    (await findKeeper(live, found, (summary) => keepsObject(summary, refOf(live)), scope, hub, options)) === undefined
  );
}

/** The owner that marks name, with its present tier, when it exists and keeps what is marked. */
export async function findKeeper(
  live: KubeObject,
  found: ProfileOwner,
  keeps: (summary: KubeObject) => boolean,
  { cluster }: ClusterSummaryScope,
  hub: Cluster,
  options: Options,
): Promise<{ readonly tier: number } | undefined> {
  const deployedFor = deployedForCluster(live) ?? clusterText(cluster);
  const isHere = deployedFor === clusterText(cluster);
  const summary = isHere ? await findSummary(found, cluster, hub, options) : await findElsewhere(found, deployedFor, cluster, hub, options);
  if (summary !== undefined) return keeps(summary) ? { tier: tierOf(summary) } : undefined;
  return isHere && (await isExpected(found, cluster, hub, options)) ? found : undefined;
}

/** The ClusterSummary of a profile in a cluster. */
async function findSummary(profile: ProfileRef, cluster: ClusterId, hub: Cluster, { signal }: Options): Promise<KubeObject | undefined> {
  const name = clusterSummaryName(profile.kind, profile.name, cluster);
  const summary = await hub.find({ ...gvkOf("ClusterSummary"), namespace: cluster.namespace, name }, { signal });
  // Names are joined by dashes, so two profiles may have the same.
  return summary !== undefined && owningProfile(summary)?.name === profile.name ? summary : undefined;
}

/** The same cluster may be registered under two names. */
async function findElsewhere(
  profile: ProfileRef,
  deployedFor: string,
  cluster: ClusterId,
  hub: Cluster,
  { signal }: Options,
): Promise<KubeObject | undefined> {
  const [[key, value] = ["", ""]] = Object.entries(clusterProfileLabels(profile.kind, profile.name, cluster));
  const { items } = await hub.list(gvkOf("ClusterSummary"), { labelSelector: `${key}=${value}`, signal });
  return items.find((summary) => owningProfile(summary)?.name === profile.name && clusterText(clusterOfSummary(summary)) === deployedFor);
}

/** The profile matches the cluster and has no ClusterSummary yet: the cluster was registered again, for example. */
async function isExpected({ kind, namespace, name }: ProfileRef, cluster: ClusterId, hub: Cluster, { signal }: Options): Promise<boolean> {
  const home = kind === "Profile" ? namespace || cluster.namespace : "";
  const profile = await hub.find({ ...gvkOf(kind), namespace: home, name }, { signal });
  if (profile === undefined || isDeleting(profile)) return false;
  const matching = listAt(profile, "status.matchingClusters").flatMap((each) => clusterReferredTo(each as ObjectReference) ?? []);
  return matching.some((each) => clusterText(each) === clusterText(cluster));
}

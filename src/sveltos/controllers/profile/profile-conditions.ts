import {
  clusterOfSummary,
  firstFew,
  isEmptySelector,
  originOf,
  type ClusterId,
  type HoldingCondition,
  type ManagedCluster,
  type Profile,
} from "../../api/index.ts";
import { heldIn, summaryStatusOf } from "../../deploy/index.ts";
import { clusterKey, noMatchText, selectedClustersOf, unavailableBecause } from "../../fleet/index.ts";
import { isDeleting, type KubeObject } from "../../../core/object/index.ts";
import { clusterKeyOfSummary } from "./profile-key.ts";
import { failuresIn, shortened } from "./profile-status.ts";

type FindCluster = (cluster: ClusterId) => ManagedCluster | undefined;

/** How far a profile is deployed. */
type ProfileProgress = {
  readonly profile: Profile;
  /** The clusters that it matches. */
  readonly matching: readonly ClusterId[];
  /** Those of them that do not have the present profile yet. */
  readonly outdated: readonly ClusterId[];
  /** By the fleet's key: those of them where it has failed. */
  readonly failed: ReadonlySet<string>;
  readonly summaries: readonly KubeObject[];
  /** The sets that it refers to. */
  readonly sets: readonly KubeObject[];
  /** The profiles that it depends on and that do not exist. */
  readonly missingDependencies: readonly string[];
  readonly clusters: () => readonly ManagedCluster[];
  readonly find: FindCluster;
};

/** The conditions of a profile that is deployed or being deployed. */
export function profileConditions(progress: ProfileProgress): readonly HoldingCondition[] {
  return [...noMatchingCluster(progress), ...withdrawalBlocked(progress.summaries, progress.find), ...reconciling(progress)];
}

function noMatchingCluster({ profile, matching, sets, clusters }: ProfileProgress): readonly HoldingCondition[] {
  if (matching.length > 0) return [];
  const { clusterSelector, clusterRefs, setRefs, kind, metadata } = profile;
  const unchosen = sets
    .filter((set) => selectedClustersOf(set).length === 0)
    .map((set) => `${set.kind} ${set.metadata.name} has chosen none`);
  const isNamed = clusterRefs.length + setRefs.length > 0;
  const candidates = clusters().filter(({ namespace }) => kind === "ClusterProfile" || namespace === metadata.namespace);
  const where = kind === "Profile" ? `in namespace ${metadata.namespace ?? ""} ` : "";
  const selector = isNamed && isEmptySelector(clusterSelector) ? [] : [noMatchText("spec.clusterSelector", clusterSelector, candidates)];
  const missing = clusterRefs.length > 0 ? ["none of spec.clusterRefs exists"] : [];
  const message = `${where}${[...selector, ...missing, ...unchosen].join("; ") || "there is no cluster that it names"}`;
  return [{ type: "NoMatchingCluster", reason: "NoMatchingCluster", message }];
}

/**
 * Messages are the same for any number of clusters, so that a rollout does not rewrite the status cluster by cluster. A
 * generated profile is left out: its trigger says how far it is, and it would cost a write for each event. So is a dry run,
 * which never deploys.
 */
function reconciling({ profile, outdated, failed, summaries, missingDependencies, find }: ProfileProgress): readonly HoldingCondition[] {
  const open = outdated.filter((cluster) => !failed.has(clusterKey(cluster)));
  if (open.length === 0 || profile.syncMode === "DryRun" || originOf(profile.metadata.labels) !== undefined) return [];
  const type = "Reconciling";
  if (missingDependencies.length > 0)
    return [{ type, reason: "MissingDependency", message: `spec.dependsOn: there is no ${profile.kind} ${firstFew(missingDependencies)}` }];
  const unavailable = unavailableIn(open, find);
  if (unavailable.length > 0) return [{ type, reason: "ClusterNotReady", message: firstFew(unavailable, "; ") }];
  const keys = new Set(open.map(clusterKey));
  const waiting = waitingIn(summaries.filter((summary) => keys.has(clusterKeyOfSummary(summary))));
  if (waiting.length > 0) return [{ type, reason: "WaitingForDependencies", message: firstFew(waiting, "; ") }];
  return [{ type, reason: "Deploying", message: "being deployed" }];
}

/** What holds up the withdrawal of ClusterSummaries that are being deleted. */
export function withdrawalBlocked(summaries: readonly KubeObject[], find: FindCluster): readonly HoldingCondition[] {
  const deleting = summaries.filter(isDeleting);
  const waiting = waitingIn(deleting).filter((text) => text.endsWith("must be withdrawn first"));
  if (waiting.length > 0) return [blocked("WaitingForDependents", waiting)];
  const unavailable = unavailableIn(deleting.map(clusterOfSummary), find);
  if (unavailable.length > 0) return [blocked("ClusterNotReady", unavailable)];
  const failed = failuresIn(deleting).map(
    ({ cluster: { namespace, name }, message }) => `cluster ${namespace}/${name}: ${shortened(message)}`,
  );
  if (failed.length > 0) return [blocked("WithdrawalFailed", failed.toSorted())];
  const held = deleting.flatMap((summary) => {
    const { namespace, name } = clusterOfSummary(summary);
    return heldIn(summaryStatusOf(summary)).map((text) => `cluster ${namespace}/${name}: ${shortened(text)}`);
  });
  return held.length === 0 ? [] : [blocked("WaitingForObjects", held.toSorted())];
}

function blocked(reason: string, because: readonly string[]): HoldingCondition {
  const message = `what it has deployed cannot be withdrawn: ${firstFew(because, "; ")}`;
  return { type: "WithdrawalBlocked", reason, message };
}

/** A cluster that is being deleted, or is not known, is left alone: nothing has to be withdrawn from it. */
function unavailableIn(clusters: readonly ClusterId[], find: FindCluster): readonly string[] {
  return clusters.flatMap((id) => {
    const cluster = find(id);
    const because = cluster === undefined || cluster.deleting ? undefined : unavailableBecause(cluster);
    return because === undefined ? [] : [`cluster ${id.namespace}/${id.name} ${because}`];
  });
}

function waitingIn(summaries: readonly KubeObject[]): readonly string[] {
  const texts = summaries.flatMap((summary) => summaryStatusOf(summary).dependencies ?? []);
  return [...new Set(texts.filter((text) => text.startsWith("waiting")))].toSorted();
}

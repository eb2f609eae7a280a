import { originOf, type ClusterId, type HoldingCondition, type ManagedCluster } from "../../api/index.ts";
import { summaryStatusOf } from "../../deploy/index.ts";
import { clusterKey } from "../../fleet/index.ts";
import { stringAt, type KubeObject } from "../../../core/object/index.ts";
import { clusterKeyOfSummary } from "./profile-key.ts";

type ProfileProgress = {
  /** The clusters that do not have the present profile yet. */
  readonly outdated: readonly ClusterId[];
  /** By the fleet's key: those of them where it has failed. */
  readonly failed: ReadonlySet<string>;
  readonly summaries: readonly KubeObject[];
  readonly find: (cluster: ClusterId) => ManagedCluster | undefined;
};

/** A message names the first ones. */
const maxNames = 3;

/**
 * The conditions of a profile that is deployed or being deployed. A generated profile has none: its trigger says how far it
 * is, and a write for each event would cost more than all it does.
 */
export function profileConditions(profile: KubeObject, progress: ProfileProgress): readonly HoldingCondition[] {
  if (originOf(profile.metadata.labels) !== undefined) return [];
  return reconciling(profile, progress);
}

/** Messages are the same for any number of clusters, so that a rollout does not rewrite the status cluster by cluster. */
function reconciling(profile: KubeObject, { outdated, failed, summaries, find }: ProfileProgress): readonly HoldingCondition[] {
  const open = outdated.filter((cluster) => !failed.has(clusterKey(cluster)));
  // A dry run never deploys.
  if (open.length === 0 || stringAt(profile, "spec.syncMode") === "DryRun") return [];
  const unavailable = open.flatMap((cluster) => {
    const because = unavailableBecause(find(cluster));
    return because === undefined ? [] : [`cluster ${cluster.namespace}/${cluster.name} ${because}`];
  });
  if (unavailable.length > 0) return [{ type: "Reconciling", reason: "ClusterNotReady", message: listed(unavailable) }];
  const keys = new Set(open.map(clusterKey));
  const waiting = summaries.flatMap((summary) => {
    const { dependencies = "" } = summaryStatusOf(summary);
    return keys.has(clusterKeyOfSummary(summary)) && dependencies.startsWith("waiting") ? [dependencies] : [];
  });
  if (waiting.length > 0)
    return [{ type: "Reconciling", reason: "WaitingForDependencies", message: listed([...new Set(waiting)].toSorted()) }];
  return [{ type: "Reconciling", reason: "Deploying", message: "being deployed" }];
}

function unavailableBecause(cluster: ManagedCluster | undefined): string | undefined {
  if (cluster === undefined) return "is not known";
  if (cluster.down) return "cannot be reached";
  return cluster.ready ? undefined : "is not ready";
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - maxNames;
  return [...texts.slice(0, maxNames), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ");
}

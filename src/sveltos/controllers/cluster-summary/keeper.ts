import { Superseded } from "../../deploy/index.ts";
import { profilePausedAnnotation } from "../../api/index.ts";
import { isReady, type FleetCluster } from "../../fleet/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import { settled, type Outcome } from "../../../reconcile/index.ts";
import { arrive } from "./arrival.ts";
import { depart, isLeaving, release } from "./departure.ts";
import { clusterOfKey, summaryKey } from "./key.ts";
import type { Keeping, Post } from "./post.ts";
import { say } from "./say.ts";

/** Brings the ClusterSummary of a key to where it should be, as far as its cluster lets it. */
export async function keep(key: string, keeping: Keeping, signal: AbortSignal): Promise<Outcome> {
  const { desk, roll } = keeping;
  const summary = roll.find(key);
  if (summary === undefined || summaryKey(summary) !== key) return forget(key, keeping);
  const cluster = desk.fleet.find(clusterOfKey(key));
  // That the fleet does not know a cluster need not mean that it is gone: who keeps profiles asks, and then lets go.
  if (isLeaving(summary) && cluster?.managed.deleting === true) return abandon(summary, keeping, signal);
  if (cluster?.link === undefined || !isReady(cluster)) return settled;
  const { link } = cluster;
  const post = { key, cluster, link, signal: AbortSignal.any([signal, link.signal]) };
  try {
    await attend(summary, post, keeping);
  } catch (error) {
    // The cluster is not ours any more, or there is another way to it, which we shall hear of.
    if (link.signal.aborted && !signal.aborted) return settled;
    if (!isOutdated(error)) throw error;
    await lookAgain(error, summary, post, keeping);
  }
  return settled;
}

function forget(key: string, { references, standing, mender }: Keeping): Outcome {
  references.forget(key);
  standing.doubt(key);
  mender.forget(key);
  return settled;
}

/** The cluster goes, and with it all that is there. */
async function abandon(summary: KubeObject, keeping: Keeping, signal: AbortSignal): Promise<Outcome> {
  try {
    await release(summary, keeping, signal);
  } catch (error) {
    // Other replicas do the same.
    if (!isOutdated(error)) throw error;
  }
  return settled;
}

function isOutdated(error: unknown): boolean {
  return error instanceof Superseded || isConflict(error) || isNotFound(error);
}

async function attend(summary: KubeObject, post: Post, keeping: Keeping): Promise<void> {
  const because = suspensionOf(summary, post.cluster);
  if (because !== undefined) {
    keeping.mender.forget(post.key);
    return say(summary, { reconciliationSuspended: true, suspensionReason: because }, keeping.desk, post.signal);
  }
  return isLeaving(summary) ? depart(summary, post, keeping) : arrive(summary, post, keeping);
}

function suspensionOf({ metadata }: KubeObject, { managed }: FleetCluster): string | undefined {
  if (managed.paused) return `cluster ${managed.namespace}/${managed.name} is paused`;
  if (metadata.annotations?.[profilePausedAnnotation] !== undefined) return `the profile has the annotation ${profilePausedAnnotation}`;
  return undefined;
}

/** Somebody has written what our copy does not have yet: with that it is looked at once more. When nobody has, the failure is one like any other. */
async function lookAgain(error: unknown, summary: KubeObject, { key, signal }: Post, { desk, queue }: Keeping): Promise<void> {
  const live = await desk.hub.find(refOf(summary), { signal });
  if (live === undefined) return;
  if (live.metadata.resourceVersion === summary.metadata.resourceVersion) throw error;
  await desk.copies.caughtUp([live], signal);
  queue.add(key);
}

import { owningProfile, withdraw } from "../../deploy/index.ts";
import { finalizers } from "../../api/index.ts";
import { Fault } from "../../../core/fault/index.ts";
import { clusterIdOf } from "../../fleet/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import { conclusionOf } from "./conclusion.ts";
import { heldBy } from "./dependencies.ts";
import { clusterKeyIn } from "./key.ts";
import { siteOf, type Keeping, type Post } from "./post.ts";
import { keepReport } from "./report.ts";
import { wakeLosers } from "./rivals.ts";
import { say } from "./say.ts";
import { complaintIn, tellOf } from "./telling.ts";

const finalizer = finalizers.ClusterSummary;

export function isLeaving({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined;
}

export function isHeld({ metadata }: KubeObject): boolean {
  return metadata.finalizers?.includes(finalizer) === true;
}

/** Withdraws what a ClusterSummary has deployed, once nothing depends on it any more, and lets it go. */
export async function depart(summary: KubeObject, post: Post, keeping: Keeping): Promise<void> {
  const { desk, roll, mender, references } = keeping;
  const { key, signal, cluster } = post;
  if (!isHeld(summary)) return;
  const held = heldBy(summary, roll);
  if (held !== undefined) return say(summary, { dependencies: held }, desk, signal);
  // What goes is not to be put back, and its content may change as it likes.
  mender.forget(key);
  references.forget(key);
  const { outcome } = await conclusionOf(withdraw({ summary, cluster: cluster.managed }, siteOf(desk, post), { signal }));
  const complaint = complaintIn(outcome);
  desk.chronicle.count("sluice_deploys_total", { outcome: complaint === undefined ? "withdrawn" : "failed" });
  if (complaint !== undefined) {
    await desk.copies.caughtUp([outcome.summary], signal);
    tellOf(outcome.summary, "WithdrawFailed", complaint, desk);
    desk.fleet.suspect(cluster.key);
    throw new Fault(complaint);
  }
  wakeLosers(summary, keeping);
  await release(outcome.summary, keeping, signal);
}

/** Nothing is left of a ClusterSummary in its cluster, or the cluster is gone: it goes from the books, and then it may go. */
export async function release(summary: KubeObject, { desk, configurations }: Keeping, signal: AbortSignal): Promise<void> {
  if (!isHeld(summary)) return;
  const cluster = clusterIdOf(clusterKeyIn(summary));
  const owner = owningProfile(summary);
  if (owner !== undefined) {
    await Promise.all([
      configurations.enter(cluster, { owner, present: false }, signal),
      keepReport(desk, cluster, owner, undefined, signal),
    ]);
  }
  const left = (summary.metadata.finalizers ?? []).filter((each) => each !== finalizer);
  const patch = { metadata: { resourceVersion: summary.metadata.resourceVersion, finalizers: left } };
  const written = await desk.hub.patch(refOf(summary), { type: "merge", patch }, { signal });
  if (left.length === 0) await desk.copies.gone([written], signal);
  else await desk.copies.caughtUp([written], signal);
}

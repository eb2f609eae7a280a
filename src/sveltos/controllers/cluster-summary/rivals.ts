import { reset, statusOf, type Outcome } from "../../deploy/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { Desk } from "../context/index.ts";
import { clusterKeyIn, summaryKey } from "./key.ts";
import type { Keeping } from "./post.ts";

/** Profiles that have lost objects to this one are to say so: they are looked at once more. */
export async function resetLosers({ displaced, summary }: Outcome, { desk, roll }: Keeping, signal: AbortSignal): Promise<void> {
  const losers = displaced.flatMap(({ kind, name }) => roll.ofProfile(clusterKeyIn(summary), kind, name) ?? []);
  await Promise.all(losers.map((loser) => resetOne(loser, desk, signal)));
}

async function resetOne(loser: KubeObject, { hub }: Desk, signal: AbortSignal): Promise<void> {
  for (;;) {
    const live = await hub.find(refOf(loser), { signal });
    if (live === undefined) return;
    try {
      await hub.replace({ ...live, status: reset(statusOf(live)) }, { subresource: "status", signal });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      // It is being worked on: the same is done to what it says now.
      if (!isConflict(error)) throw error;
    }
  }
}

/** Objects have become free: whoever of the same cluster has failed may have wanted them. */
export function wakeLosers(summary: KubeObject, { queue, roll }: Keeping): void {
  for (const loser of roll.failedIn(clusterKeyIn(summary))) {
    if (loser.metadata.name !== summary.metadata.name) queue.add(summaryKey(loser));
  }
}

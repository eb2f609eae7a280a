import { resetFeatures, summaryStatusOf, type AddonOutcome } from "../../deploy/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { clusterKeyOf, summaryKey } from "./summary-key.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";

/** Profiles that have lost objects to this one are to say so: they are looked at once more. */
export async function resetDisplaced(
  { displaced, summary }: AddonOutcome,
  { context, summaryIndex }: SummaryControllerState,
  signal: AbortSignal,
): Promise<void> {
  const losers = displaced.flatMap(({ kind, name }) => summaryIndex.ofProfile(clusterKeyOf(summary), kind, name) ?? []);
  await Promise.all(losers.map((loser) => resetSummary(loser, context, signal)));
}

async function resetSummary(loser: KubeObject, { hub }: ControllerContext, signal: AbortSignal): Promise<void> {
  for (;;) {
    const live = await hub.find(refOf(loser), { signal });
    if (live === undefined) return;
    try {
      await hub.replace({ ...live, status: resetFeatures(summaryStatusOf(live)) }, { subresource: "status", signal });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      // It is being worked on: the same is done to what it says now.
      if (!isConflict(error)) throw error;
    }
  }
}

/** Objects have become free: whoever of the same cluster has failed may have wanted them. */
export function requeueFailed(summary: KubeObject, { queue, summaryIndex }: SummaryControllerState): void {
  for (const loser of summaryIndex.failedIn(clusterKeyOf(summary))) {
    if (loser.metadata.name !== summary.metadata.name) queue.add(summaryKey(loser));
  }
}

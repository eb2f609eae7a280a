import { resetFeatures, summaryStatusOf, type AddonOutcome } from "../../deploy/index.ts";
import { isConflict, isNotFound } from "../../../kube/index.ts";
import { refOf, type KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import { clusterKeyOf, summaryKeyOf } from "./summary-key.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";

/** Resets the status of ClusterSummaries that have lost objects to this one, so that they are reconciled and report the conflict. */
export async function resetDisplaced(
  { displaced, summary }: AddonOutcome,
  { context, summaryIndex }: SummaryControllerState,
  signal: AbortSignal,
): Promise<void> {
  const summaries = displaced.flatMap(({ kind, name }) => summaryIndex.ofProfile(clusterKeyOf(summary), kind, name) ?? []);
  await Promise.all(summaries.map((each) => resetSummary(each, context, signal)));
}

async function resetSummary(displaced: KubeObject, { hub }: ControllerContext, signal: AbortSignal): Promise<void> {
  for (;;) {
    const live = await hub.find(refOf(displaced), { signal });
    if (live === undefined) return;
    try {
      await hub.replace({ ...live, status: resetFeatures(summaryStatusOf(live)) }, { subresource: "status", signal });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      // Its status has changed meanwhile: the reset is made to the new one.
      if (!isConflict(error)) throw error;
    }
  }
}

/** Requeues the failed ClusterSummaries of the same cluster: objects were removed, and one of them may have waited for these. */
export function requeueFailed(summary: KubeObject, { queue, summaryIndex }: SummaryControllerState): void {
  for (const failed of summaryIndex.failedIn(clusterKeyOf(summary))) {
    if (failed.metadata.name !== summary.metadata.name) queue.add(summaryKeyOf(failed));
  }
}

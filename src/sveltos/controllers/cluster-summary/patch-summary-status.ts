import { updateSummaryStatus } from "../../deploy/index.ts";
import type { ClusterSummaryStatus } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

/** Says something in a ClusterSummary's status, if it does not say so already. */
export async function patchSummaryStatus(
  summary: KubeObject,
  words: Partial<ClusterSummaryStatus>,
  { hub, cache }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const written = await updateSummaryStatus(summary, hub, (status) => ({ ...status, ...words }), signal);
  if (written !== summary) await cache.waitForWrites([written], signal);
}

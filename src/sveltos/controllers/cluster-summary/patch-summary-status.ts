import { updateSummaryStatus } from "../../deploy/index.ts";
import type { ClusterSummaryStatus } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";

/** Sets fields of a ClusterSummary's status; writes nothing when they have these values already. */
export async function patchSummaryStatus(
  summary: KubeObject,
  fields: Partial<ClusterSummaryStatus>,
  { hub, cache }: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const written = await updateSummaryStatus(summary, hub, (status) => ({ ...status, ...fields }), signal);
  if (written !== summary) await cache.waitForWrites([written], signal);
}

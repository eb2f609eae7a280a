import { writeStatus } from "../../deploy/index.ts";
import type { ClusterSummaryStatus } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { Desk } from "../context/index.ts";

/** Says something in a ClusterSummary's status, if it does not say so already. */
export async function say(
  summary: KubeObject,
  words: Partial<ClusterSummaryStatus>,
  { hub, copies }: Desk,
  signal: AbortSignal,
): Promise<void> {
  const written = await writeStatus(summary, hub, (status) => ({ ...status, ...words }), signal);
  if (written !== summary) await copies.caughtUp([written], signal);
}

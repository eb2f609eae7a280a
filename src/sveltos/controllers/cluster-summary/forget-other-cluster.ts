import { forgetDeployed, owningProfile, summaryStatusOf, updateSummaryStatus } from "../../deploy/index.ts";
import { clusterUidOf } from "../../fleet/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import { updateConfiguration } from "./update-configuration.ts";
import type { SummaryControllerState, TargetContext } from "./summary-controller-state.ts";

/**
 * Forgets what a ClusterSummary has deployed when that was to another cluster than the one that answers now, because the
 * cluster was made anew: it is deployed as for the first time, and nothing of it is withdrawn. Gives the ClusterSummary as it
 * is then. While either of the two is unknown, they are the same.
 */
export async function forgetOtherCluster(
  summary: KubeObject,
  { key, cluster, signal }: Omit<TargetContext, "access">,
  state: SummaryControllerState,
): Promise<KubeObject> {
  const { context } = state;
  const { clusterUID: before } = summaryStatusOf(summary);
  const uid = clusterUidOf(cluster);
  if (before === undefined || uid === undefined || before === uid) return summary;
  const { namespace, name } = cluster.managed;
  const message = `${namespace}/${name} is another cluster than before (its uid is ${uid}, and was ${before}): nothing is deployed there yet`;
  context.telemetry.recordEvent(summary, { type: "Normal", reason: "ClusterReplaced", message });
  const written = await updateSummaryStatus(summary, context.hub, forgetDeployed(uid), signal);
  await context.cache.waitForWrites([written], signal);
  const owner = owningProfile(written);
  const nothing = { features: [], keptFeatures: [], settled: true };
  if (owner !== undefined) updateConfiguration(key, { owner, present: true, outcome: nothing }, state, signal);
  return written;
}

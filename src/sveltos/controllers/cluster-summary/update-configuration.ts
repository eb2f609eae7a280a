import { clusterIdOf } from "../../fleet/index.ts";
import type { ConfigurationEntry } from "./configuration-parts.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

/** Writes an entry of a ClusterConfiguration and does not wait for it: the writer collects the changes of many profiles. */
export function updateConfiguration(
  key: SummaryKey,
  entry: ConfigurationEntry,
  { context, configurations, queue }: SummaryControllerState,
  signal: AbortSignal,
): void {
  configurations.update(clusterIdOf(key.cluster), entry, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    context.telemetry.failureReporter("summaries")({ key: summaryIdentity(key), error, failures: 1, requeueAfterMs: 0 });
    queue.add(key);
  });
}

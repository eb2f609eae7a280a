import { clusterIdOf } from "../../fleet/index.ts";
import { isTooLarge } from "../../../kube/index.ts";
import { recordFailure } from "./record-failure.ts";
import type { ConfigurationEntry } from "./configuration-parts.ts";
import type { SummaryControllerState } from "./summary-controller-state.ts";
import { summaryIdentity, type SummaryKey } from "./summary-key.ts";

type ConfigurationState = Pick<SummaryControllerState, "context" | "configurations" | "queue"> & {
  readonly summaryIndex: Pick<SummaryControllerState["summaryIndex"], "find">;
};

/** Writes an entry of a ClusterConfiguration and does not wait for it: the writer collects the changes of many profiles. */
export function updateConfiguration(
  key: SummaryKey,
  entry: ConfigurationEntry,
  { context, configurations, queue, summaryIndex }: ConfigurationState,
  signal: AbortSignal,
): void {
  configurations.update(clusterIdOf(key.cluster), entry, signal).catch((error: unknown) => {
    if (signal.aborted) return;
    const summary = summaryIndex.find(key);
    // It is deployed all the same, and another attempt would fail in the same way.
    if (summary !== undefined && isTooLargeEntry(error, entry))
      return recordFailure(summary, "ConfigurationTooLarge", tooLargeMessage(key, entry), context);
    context.telemetry.failureReporter("summaries")({ key: summaryIdentity(key), error, failures: 1, requeueAfterMs: 0 });
    queue.add(key);
  });
}

/** The bytes of an entry that is too large by itself, whatever is beside it. */
const largeEntryBytes = 1024 * 1024;

function isTooLargeEntry(error: unknown, entry: ConfigurationEntry): boolean {
  return isTooLarge(error) && entry.present && Buffer.byteLength(JSON.stringify(entry.outcome.features)) > largeEntryBytes;
}

function tooLargeMessage({ cluster }: SummaryKey, entry: ConfigurationEntry): string {
  const features = entry.present ? entry.outcome.features : [];
  const resources = features.reduce((sum, feature) => sum + (feature.resources ?? []).length, 0);
  return `the ClusterConfiguration of ${cluster} does not list the ${resources} deployed resources of this profile, which are too many for one object: divide the content among several profiles`;
}

import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import type { ClusterSummaryStatus } from "../../api/index.ts";
import type { KubeObject } from "../../../core/object/index.ts";
import type { ControllerContext } from "../context/index.ts";
import type { CollectedResult } from "./collect-result.ts";
import { failureMessageIn } from "./record-failure.ts";
import { clusterKeyOf } from "./summary-key.ts";

/** What was done, as the log says it. */
type Operation = "deployed" | "dry run" | "repaired drift" | "withdrawn";

/**
 * Logs what a deploy, a repair or a withdrawal has changed in a cluster, or why it is refused. A reconcile that leaves
 * everything as it is says nothing, and neither does a failure that is retried: the queue logs it.
 */
export function logOutcome(
  operation: Operation,
  before: KubeObject,
  { outcome, changes }: CollectedResult,
  startedAt: number,
  { telemetry, hub }: ControllerContext,
): void {
  const failure = failureMessageIn(outcome);
  const previous = summaryStatusOf(before);
  const subject = { ...subjectOf(outcome.summary), seconds: (hub.clock.now() - startedAt) / 1000 };
  if (failure !== undefined) {
    if (!outcome.final || failure === failureMessageIn({ settled: false, status: previous })) return;
    telemetry.log("info", "refused", { ...subject, error: failure });
    return;
  }
  const { releases, planned, ...counts } = changes;
  if (!planned && featureStates(previous) === featureStates(outcome.status)) return;
  const revision = outcome.status.releases?.find(({ featureID }) => featureID === "Resources")?.revision;
  const changed = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0));
  telemetry.log("info", operation, {
    ...subject,
    ...changed,
    ...(revision === undefined ? {} : { revision }),
    ...(releases.size === 0 ? {} : { releases: [...releases] }),
  });
}

function subjectOf(summary: KubeObject): Readonly<Record<string, unknown>> {
  const owner = owningProfile(summary);
  const profile = owner === undefined ? {} : { profile: [owner.kind, owner.namespace, owner.name].filter((part) => part !== "").join("/") };
  return { ...profile, cluster: clusterKeyOf(summary), clusterSummary: summary.metadata.name };
}

function featureStates({ featureSummaries = [] }: ClusterSummaryStatus): string {
  return featureSummaries.map(({ featureID, status }) => `${featureID} ${status ?? ""}`).join();
}

import { booleanAt, isDeleting, listAt, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { statusOccurrences, type Occurrence } from "../../sveltos/inspect/index.ts";
import type { CellState } from "../api/index.ts";

/** How a ClusterSummary is doing, and why. */
type SummaryState = { readonly state: CellState; readonly reason?: string };

const contentFields = { Resources: "policyRefs", Helm: "helmCharts" } as const;

/** Reads the state of a profile in a cluster from its ClusterSummary, by what that says of itself. */
export function summaryStateOf(summary: KubeObject, said: readonly Occurrence[] = statusOccurrences(summary)): SummaryState {
  const failing = said.find(({ state }) => state === "failing");
  if (failing !== undefined) return { state: "failed", reason: failing.message };
  if (isDeleting(summary)) return { state: "progressing", reason: "it is being withdrawn" };
  const noted = said[0];
  if (booleanAt(summary, "status.reconciliationSuspended")) return withReason("skipped", noted?.message);
  if (noted !== undefined) return { state: "waiting", reason: noted.message };
  if (stringAt(summary, "spec.clusterProfileSpec.syncMode") === "DryRun")
    return { state: "skipped", reason: "it is in DryRun mode: nothing is deployed" };
  return progressOf(summary);
}

function progressOf(summary: KubeObject): SummaryState {
  const features = listAt(summary, "status.featureSummaries");
  const open = features.find(({ status }) => status !== "Provisioned" && status !== "Removed");
  if (open !== undefined)
    return { state: "progressing", reason: `${stringAt(open, "featureID", "")} is ${stringAt(open, "status", "not known yet")}` };
  const missing = Object.entries(contentFields).find(
    ([id, field]) => listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0 && !features.some(({ featureID }) => featureID === id),
  );
  if (missing !== undefined) return { state: "progressing", reason: `${missing[0]} is not deployed yet` };
  const observed = numberAt(summary, "status.observedGeneration");
  const isOld = observed !== undefined && observed < (summary.metadata.generation ?? 0);
  return isOld ? { state: "progressing", reason: "its latest change is not deployed yet" } : { state: "ready" };
}

function withReason(state: CellState, reason: string | undefined): SummaryState {
  return reason === undefined ? { state } : { state, reason };
}

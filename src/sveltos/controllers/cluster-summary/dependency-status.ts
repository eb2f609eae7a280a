import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import type { FeatureId } from "../../api/index.ts";
import { listAt, type KubeObject } from "../../../core/object/index.ts";
import { summaryKey } from "./summary-key.ts";
import type { SummaryIndex } from "./summary-index.ts";

/** Whether a ClusterSummary may go on, and what its status says about that. Without a text nothing is said. */
export type DependencyStatus = { readonly isReady: boolean; readonly message?: string };

/** Sveltos' words. */
const noDependencies: DependencyStatus = { isReady: true, message: "no dependencies" };

/**
 * Whether all that a ClusterSummary depends on is in its cluster, with the content that it has now. `isCurrent` knows
 * which have been looked at since they last changed; to wait for such a look is nothing to tell people of.
 */
export function dependencyStatusOf(summary: KubeObject, summaryIndex: SummaryIndex, isCurrent: (key: string) => boolean): DependencyStatus {
  const dependencies = summaryIndex.dependenciesOf(summary);
  if (dependencies.length === 0) return noDependencies;
  const kind = owningProfile(summary)?.kind ?? "ClusterProfile";
  const missing = dependencies.flatMap(([name, found]) => {
    const because = found === undefined ? "is not deployed to this cluster" : notDeployedBecause(found);
    return because === undefined ? [] : [`${kind} ${name} ${because}`];
  });
  if (missing.length > 0) return { isReady: false, message: `waiting: ${missing.join("; ")}` };
  const isReady = dependencies.every(([, found]) => found !== undefined && (isCurrent(summaryKey(found)) || isSuspended(found)));
  return isReady ? { isReady, message: "all dependencies are deployed" } : { isReady };
}

/** Why a dependency does not count as deployed; nothing when it does. */
function notDeployedBecause(dependency: KubeObject): string | undefined {
  if (dependency.metadata.deletionTimestamp !== undefined) return "is being withdrawn";
  const summaries = summaryStatusOf(dependency).featureSummaries ?? [];
  const open = featuresOf(dependency).filter(
    (feature) => summaries.find(({ featureID }) => featureID === feature)?.status !== "Provisioned",
  );
  return open.length === 0 ? undefined : `is not provisioned yet (${open.join(", ")})`;
}

function featuresOf(summary: KubeObject): readonly FeatureId[] {
  const has = (field: string) => listAt(summary, `spec.clusterProfileSpec.${field}`).length > 0;
  return [...(has("policyRefs") ? ["Resources" as const] : []), ...(has("helmCharts") ? ["Helm" as const] : [])];
}

function isSuspended(summary: KubeObject): boolean {
  return summaryStatusOf(summary).reconciliationSuspended === true;
}

/** What has to be withdrawn before a ClusterSummary may be, as its status says it; undefined when nothing does. */
export function blockingDependents(summary: KubeObject, summaryIndex: SummaryIndex): string | undefined {
  const dependents = summaryIndex.dependentsOf(summary).filter((dependent) => !isInCycle(dependent, summary, summaryIndex));
  if (dependents.length === 0) return undefined;
  const names = dependents.map(({ metadata }) => metadata.name).toSorted();
  return `waiting: ${names.join(", ")} must be withdrawn first`;
}

/** Two that wait for each other would both wait for ever: such a circle holds nobody. */
function isInCycle(dependent: KubeObject, summary: KubeObject, summaryIndex: SummaryIndex): boolean {
  const seen = new Set<string>();
  const reaches = (from: KubeObject): boolean => {
    if (seen.has(summaryKey(from))) return false;
    seen.add(summaryKey(from));
    return summaryIndex
      .dependenciesOf(from)
      .some(([, next]) => next !== undefined && (summaryKey(next) === summaryKey(dependent) || reaches(next)));
  };
  return reaches(summary);
}

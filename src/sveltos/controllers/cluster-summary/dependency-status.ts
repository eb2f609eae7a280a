import { owningProfile, summaryStatusOf } from "../../deploy/index.ts";
import type { FeatureId } from "../../api/index.ts";
import { concerns } from "../../tenant/index.ts";
import { listAt, type KubeObject } from "../../../core/object/index.ts";
import { summaryIdentity, summaryKeyOf, type SummaryKey } from "./summary-key.ts";
import type { SummaryIndex } from "./summary-index.ts";

/** Whether the dependencies of a ClusterSummary are deployed, and the message for its status; without one the status stays. */
type DependencyStatus = { readonly isReady: boolean; readonly message?: string };

/** The message is Sveltos'. */
const noDependencies: DependencyStatus = { isReady: true, message: "no dependencies" };

/**
 * Whether all dependencies of a ClusterSummary are deployed to its cluster with their present content. `isSynced` knows
 * which are reconciled since they last changed; waiting for such a reconcile gives no message.
 */
export function dependencyStatusOf(
  summary: KubeObject,
  summaryIndex: SummaryIndex,
  isSynced: (key: SummaryKey) => boolean,
): DependencyStatus {
  const dependencies = summaryIndex.dependenciesOf(summary);
  if (dependencies.length === 0) return noDependencies;
  const kind = owningProfile(summary)?.kind ?? "ClusterProfile";
  const missing = dependencies.flatMap(([name, found]) => {
    const because = found === undefined ? "is not deployed to this cluster" : notDeployedBecause(found);
    return because === undefined ? [] : [`${kind} ${name} ${because}`];
  });
  if (missing.length > 0) return { isReady: false, message: `waiting: ${missing.join("; ")}` };
  const isReady = dependencies.every(([, found]) => found !== undefined && (isSynced(summaryKeyOf(found)) || isSuspended(found)));
  return isReady ? { isReady, message: "all dependencies are deployed" } : { isReady };
}

/** Why a dependency does not count as deployed; undefined when it does. */
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

/**
 * The dependents that must be withdrawn first, as a message for the status; undefined when there are none. Those of another tenant
 * do not count.
 */
export function blockingDependents(summary: KubeObject, summaryIndex: SummaryIndex): string | undefined {
  const dependents = summaryIndex
    .dependentsOf(summary)
    .filter(({ metadata }) => concerns(metadata.labels, summary.metadata.labels))
    .filter((dependent) => !isInCycle(dependent, summary, summaryIndex));
  if (dependents.length === 0) return undefined;
  const names = dependents.map(({ metadata }) => metadata.name).toSorted();
  return `waiting: ${names.join(", ")} must be withdrawn first`;
}

/** Dependents in a cycle do not count: each would wait for the other for ever. */
function isInCycle(dependent: KubeObject, summary: KubeObject, summaryIndex: SummaryIndex): boolean {
  const searched = summaryIdentity(summaryKeyOf(dependent));
  const seen = new Set<string>();
  const reaches = (from: KubeObject): boolean => {
    const id = summaryIdentity(summaryKeyOf(from));
    if (seen.has(id)) return false;
    seen.add(id);
    return summaryIndex
      .dependenciesOf(from)
      .some(([, next]) => next !== undefined && (summaryIdentity(summaryKeyOf(next)) === searched || reaches(next)));
  };
  return reaches(summary);
}

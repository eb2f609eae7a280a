import { owningProfile, statusOf } from "../../deploy/index.ts";
import type { FeatureId } from "../../api/index.ts";
import { listAt, type KubeObject } from "../../../core/object/index.ts";
import { summaryKey } from "./key.ts";
import type { Roll } from "./roll.ts";

/** Whether a ClusterSummary may go on, and what its status says about that. Without a text nothing is said. */
export type Clearance = { readonly clear: boolean; readonly says?: string };

/** Sveltos' words. */
const none: Clearance = { clear: true, says: "no dependencies" };

/**
 * Whether all that a ClusterSummary depends on is in its cluster, with the content that it has now. `isCurrent` knows
 * which have been looked at since they last changed; to wait for such a look is nothing to tell people of.
 */
export function clearanceOf(summary: KubeObject, roll: Roll, isCurrent: (key: string) => boolean): Clearance {
  const dependencies = roll.dependenciesOf(summary);
  if (dependencies.length === 0) return none;
  const kind = owningProfile(summary)?.kind ?? "ClusterProfile";
  const missing = dependencies.flatMap(([name, found]) => {
    const because = found === undefined ? "is not deployed to this cluster" : whyNot(found);
    return because === undefined ? [] : [`${kind} ${name} ${because}`];
  });
  if (missing.length > 0) return { clear: false, says: `waiting: ${missing.join("; ")}` };
  const clear = dependencies.every(([, found]) => found !== undefined && (isCurrent(summaryKey(found)) || isSuspended(found)));
  return clear ? { clear, says: "all dependencies are deployed" } : { clear };
}

/** Why a dependency does not count as deployed; nothing when it does. */
function whyNot(dependency: KubeObject): string | undefined {
  if (dependency.metadata.deletionTimestamp !== undefined) return "is being withdrawn";
  const summaries = statusOf(dependency).featureSummaries ?? [];
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
  return statusOf(summary).reconciliationSuspended === true;
}

/** What has to be withdrawn before a ClusterSummary may be, as its status says it; undefined when nothing does. */
export function heldBy(summary: KubeObject, roll: Roll): string | undefined {
  const dependents = roll.dependentsOf(summary).filter((dependent) => !isCircular(dependent, summary, roll));
  if (dependents.length === 0) return undefined;
  const names = dependents.map(({ metadata }) => metadata.name).toSorted();
  return `waiting: ${names.join(", ")} must be withdrawn first`;
}

/** Two that wait for each other would both wait for ever: such a circle holds nobody. */
function isCircular(dependent: KubeObject, summary: KubeObject, roll: Roll): boolean {
  const seen = new Set<string>();
  const reaches = (from: KubeObject): boolean => {
    if (seen.has(summaryKey(from))) return false;
    seen.add(summaryKey(from));
    return roll
      .dependenciesOf(from)
      .some(([, next]) => next !== undefined && (summaryKey(next) === summaryKey(dependent) || reaches(next)));
  };
  return reaches(summary);
}

import { fieldsAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import type { CellState } from "../api/index.ts";
import { summaryStateOf } from "../fleet/summary-state.ts";

/**
 * Reduces an object of a fleet to what an overview is made from: the whole of one that has something to say, and of any other
 * what it is called and belongs to. There may be 50,000 ClusterSummaries.
 */
export function reduceFleetObject(object: KubeObject): KubeObject {
  const isSpeaking = statusOccurrences(object).length > 0;
  if (object.kind === "ClusterSummary") return reduceSummary(object, isSpeaking);
  if (isSpeaking) return { ...object, isSpeaking };
  const { apiVersion, kind, metadata } = object;
  const { managedFields: _fields, annotations: _annotations, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept, isSpeaking };
}

function reduceSummary(summary: KubeObject, isSpeaking: boolean): KubeObject {
  const { apiVersion, kind, metadata } = summary;
  const { managedFields, annotations: _annotations, ...kept } = metadata;
  const text = (field: string) => stringAt(summary, `spec.${field}`, "");
  const { releases: _releases, deployedGVKs: _kinds, ...status } = fieldsAt(summary, "status");
  return {
    apiVersion,
    kind,
    metadata: isSpeaking && managedFields !== undefined ? { ...kept, managedFields: managedFields.map(withoutFields) } : kept,
    spec: { clusterNamespace: text("clusterNamespace"), clusterName: text("clusterName"), clusterType: text("clusterType") },
    ...(isSpeaking ? { status } : {}),
    cell: summaryStateOf(summary).state,
    isSpeaking,
  };
}

/** Of managedFields only the times are read. */
function withoutFields<T extends object>(entry: T): T {
  return { ...entry, fieldsV1: undefined };
}

/** Whether a reduced object has something to say. */
export function isSpeaking(reduced: KubeObject): boolean {
  return reduced["isSpeaking"] === true;
}

/** The state of a reduced ClusterSummary. */
export function cellOf(reduced: KubeObject): CellState | undefined {
  return reduced["cell"] as CellState | undefined;
}

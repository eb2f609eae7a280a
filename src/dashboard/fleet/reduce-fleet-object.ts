import { fieldsAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { statusOccurrences } from "../../sveltos/inspect/index.ts";
import { columnOf, type MatrixColumn } from "./matrix-column.ts";
import { cellOf, type SummaryCell } from "./summary-cell.ts";

/**
 * Reduces an object of a fleet to what views of fleets are made from: the whole of one that has something to say, and of any other
 * what it is called and belongs to. There may be 50,000 ClusterSummaries, so one informer of them serves all these views.
 */
export function reduceFleetObject(object: KubeObject): KubeObject {
  const said = statusOccurrences(object);
  const isSpeaking = said.length > 0;
  switch (object.kind) {
    case "ClusterSummary":
      return { ...reduceSummary(object, isSpeaking), cell: cellOf(object, said), isSpeaking };
    case "ClusterProfile":
    case "Profile":
      return { ...(isSpeaking ? object : nameOf(object)), column: columnOf(object, said), isSpeaking };
    case "SveltosCluster":
    case "Cluster":
      return { ...object, ...(isSpeaking ? {} : { metadata: nameOf(object).metadata }), isSpeaking };
    default:
      return { ...(isSpeaking ? object : nameOf(object)), isSpeaking };
  }
}

/** An object without its content. */
function nameOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { managedFields: _fields, annotations: _annotations, ...kept } = metadata;
  return { apiVersion, kind, metadata: kept };
}

function reduceSummary(summary: KubeObject, isSpeaking: boolean): KubeObject {
  const { apiVersion, kind, metadata } = nameOf(summary);
  const { managedFields } = summary.metadata;
  const text = (field: string) => stringAt(summary, field, "");
  const { releases: _releases, deployedGVKs: _kinds, ...status } = isSpeaking ? fieldsAt(summary, "status") : {};
  return {
    apiVersion,
    kind,
    metadata: isSpeaking && managedFields !== undefined ? { ...metadata, managedFields: managedFields.map(withoutFields) } : metadata,
    spec: {
      clusterNamespace: text("spec.clusterNamespace"),
      clusterName: text("spec.clusterName"),
      clusterType: text("spec.clusterType"),
    },
    ...(isSpeaking ? { status } : {}),
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

/** The cell of a reduced ClusterSummary; undefined when it belongs to no profile, and of other objects. */
export function cellIn(reduced: KubeObject): SummaryCell | undefined {
  return reduced["cell"] as SummaryCell | undefined;
}

/** The column of a reduced profile. */
export function columnIn(reduced: KubeObject): MatrixColumn {
  return reduced["column"] as MatrixColumn;
}

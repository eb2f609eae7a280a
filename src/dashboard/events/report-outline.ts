import { apiVersionOf, isFields, keyOf, stringAt, type KubeObject, type ObjectMeta, type ObjectRef } from "../../core/object/index.ts";
import { wholeNameOf } from "../../sveltos/api/index.ts";
import { clusterRefIn } from "../../sveltos/inspect/index.ts";
import { refsOf } from "../../sveltos/report/index.ts";
import { clusterKeyOf } from "../fleet/summary-cell.ts";

/** What the view has of an EventReport, or of a part of one. */
export type ReportOutline = {
  readonly namespace: string;
  readonly name: string;
  /** The key of the cluster. */
  readonly cluster: string;
  readonly source: string;
  readonly count: number;
  /** Some of what matches. */
  readonly refs: readonly ObjectRef[];
  readonly changedAtMs?: number;
  readonly failure?: string;
};

/** More matches than these are counted. */
const maxRefs = 50;

/** Reduces an EventReport to its outline: it may carry the objects themselves. */
export function reduceReport(report: KubeObject): KubeObject {
  return { apiVersion: report.apiVersion, kind: report.kind, metadata: keptMetadata(report.metadata), outline: outlineOf(report) };
}

/** The outline of a reduced EventReport. */
export function reportOutlineIn(reduced: KubeObject): ReportOutline {
  return reduced["outline"] as ReportOutline;
}

/** What informers need of the metadata. */
export function keptMetadata({ name, namespace, uid, resourceVersion }: ObjectMeta): ObjectMeta {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function outlineOf(report: KubeObject): ReportOutline {
  const refs = refsOf(report);
  const changedAtMs = specTimeOf(report);
  const failure = stringAt(report, "status.failureMessage", "");
  return {
    namespace: report.metadata.namespace ?? "",
    name: wholeNameOf(report),
    cluster: clusterKeyOf(clusterRefIn(report)),
    source: stringAt(report, "spec.eventSourceName", report.metadata.labels?.["projectsveltos.io/eventsource-name"] ?? ""),
    count: new Set(refs.map((ref) => keyOf(ref))).size,
    refs: refs.slice(0, maxRefs),
    ...(changedAtMs === undefined ? {} : { changedAtMs }),
    ...(failure === "" ? {} : { failure }),
  };
}

/** When something other than the status was last written: a report is only written when what matches changes. */
function specTimeOf({ metadata }: KubeObject): number | undefined {
  const times = (metadata.managedFields ?? []).flatMap((entry) =>
    isFields(entry) && entry["subresource"] === undefined ? [stringAt(entry, "time", "")] : [],
  );
  const latest = times.toSorted().at(-1) ?? metadata.creationTimestamp ?? "";
  return Date.parse(latest) || undefined;
}

/** Names an object for the page. */
export function objectNameOf({ group, version, kind, namespace, name }: ObjectRef) {
  return { group, version, kind, namespace, name };
}

/** The key of a match. */
export function matchKeyOf(ref: ObjectRef): string {
  return `${apiVersionOf(ref)} ${keyOf(ref)}`;
}

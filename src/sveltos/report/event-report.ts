import {
  eventReportLabels,
  eventReportName,
  managedEventReportLabels,
  managedEventReportName,
  sveltosNamespace,
  type ClusterId,
} from "../api/index.ts";
import { apiVersionOf, equal, fieldsAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { Match } from "../evaluate/index.ts";
import { encodeResources } from "./resources-codec.ts";

/** Sveltos' ReportPhase: written, being collected by the management cluster, or collected. */
export type ReportPhase = "WaitingForDelivery" | "Delivering" | "Processed";

const eventReportApiVersion = "lib.projectsveltos.io/v1beta1";

/** The content of a report. Without a cluster it is the report that stands in the managed cluster itself. */
type ReportInput = {
  readonly eventSource: string;
  readonly cluster?: ClusterId;
  readonly matches: readonly Match[];
  /** Put the matching objects into the report, for templates to use. */
  readonly collectResources: boolean;
};

/** A report, or why there can be none for these matches. */
type ReportResult = { readonly report: KubeObject } | { readonly problem: string };

/** etcd accepts 1.5 MiB in one request, of which metadata takes a part. */
const maxBytes = 1_450_000;

/** Builds an EventReport. The same input always gives the same report. */
export function buildEventReport(input: ReportInput): ReportResult {
  const { eventSource, cluster, matches, collectResources } = input;
  const objects = collectResources ? matches.flatMap(({ object }) => (object === undefined ? [] : [object])) : [];
  const report: KubeObject = {
    apiVersion: eventReportApiVersion,
    kind: "EventReport",
    metadata: cluster === undefined ? managedMetadata(eventSource) : metadataFor(eventSource, cluster),
    spec: {
      clusterNamespace: cluster?.namespace ?? "",
      clusterName: cluster?.name ?? "",
      clusterType: cluster?.type ?? "",
      eventSourceName: eventSource,
      ...(matches.length > 0 && { matchingResources: matches.map(({ ref }) => objectReferenceOf(ref)) }),
      ...(objects.length > 0 && { resources: encodeResources(objects) }),
    },
  };
  const bytes = Buffer.byteLength(JSON.stringify(report));
  return bytes > maxBytes ? { problem: tooLarge(input, bytes) } : { report };
}

/** Whether an existing report has the labels and spec of the desired one. */
export function isSameReport(existing: KubeObject | undefined, desired: KubeObject): boolean {
  if (existing === undefined) return false;
  const labels = existing.metadata.labels ?? {};
  const hasLabels = Object.entries(desired.metadata.labels ?? {}).every(([key, value]) => labels[key] === value);
  return hasLabels && equal(existing["spec"], desired["spec"]);
}

/** The copy of a managed cluster's report for the management cluster. CloudEvents are left out. */
export function managementCopy(managed: KubeObject, eventSource: string, cluster: ClusterId): KubeObject {
  const { cloudEvents: _left, ...spec } = fieldsAt(managed, "spec");
  return {
    apiVersion: eventReportApiVersion,
    kind: "EventReport",
    metadata: metadataFor(eventSource, cluster),
    spec: { ...spec, clusterNamespace: cluster.namespace, clusterName: cluster.name, clusterType: cluster.type },
  };
}

function metadataFor(eventSource: string, cluster: ClusterId): KubeObject["metadata"] {
  return { name: eventReportName(eventSource, cluster), namespace: cluster.namespace, labels: eventReportLabels(eventSource, cluster) };
}

function managedMetadata(eventSource: string): KubeObject["metadata"] {
  return { name: managedEventReportName(eventSource), namespace: sveltosNamespace, labels: managedEventReportLabels(eventSource) };
}

/** A core/v1 ObjectReference, without `namespace` for cluster-scoped objects. */
export function objectReferenceOf(ref: ObjectRef): Readonly<Record<string, string>> {
  const { kind, namespace, name } = ref;
  return { apiVersion: apiVersionOf(ref), kind, ...(namespace !== "" && { namespace }), name };
}

function tooLarge({ eventSource, matches, collectResources }: ReportInput, bytes: number): string {
  const way = collectResources ? "narrow its selectors, or let it not collect resources" : "narrow its selectors";
  return `${matches.length} objects match ${eventSource}, and a report of them takes ${megabytes(bytes)}; an API server stores at most ${megabytes(maxBytes)}: ${way}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

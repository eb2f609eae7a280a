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

/** How far a report has got: found, on its way to the management cluster, or worked in there. */
export type ReportPhase = "WaitingForDelivery" | "Delivering" | "Processed";

export const eventReportApiVersion = "lib.projectsveltos.io/v1beta1";

/** What a report is made of. Without a cluster it is the copy that lives in the managed cluster itself. */
export type ReportInput = {
  readonly eventSource: string;
  readonly cluster?: ClusterId;
  readonly matches: readonly Match[];
  /** The objects themselves are part of the report, for templates to use. */
  readonly collectResources: boolean;
};

/** A report, or the reason why these findings cannot be one. */
export type ReportResult = { readonly report: KubeObject } | { readonly problem: string };

/** What etcd takes in one request is 1.5 MiB; names of fields, managers and keys need some of it. */
const maxBytes = 1_450_000;

/** Findings as an EventReport: the same findings give the same report, whenever they are made. */
export function buildEventReport(input: ReportInput): ReportResult {
  const { eventSource, cluster, matches, collectResources } = input;
  const objects = collectResources ? matches.flatMap(({ object }) => (object === undefined ? [] : [object])) : [];
  const made: KubeObject = {
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
  const bytes = Buffer.byteLength(JSON.stringify(made));
  return bytes > maxBytes ? { problem: tooLarge(input, bytes) } : { report: made };
}

/** Tells whether a report that is there already says what another one would. Who wrote it and when does not matter. */
export function isSameReport(there: KubeObject | undefined, wanted: KubeObject): boolean {
  if (there === undefined) return false;
  const labels = there.metadata.labels ?? {};
  const labelled = Object.entries(wanted.metadata.labels ?? {}).every(([key, value]) => labels[key] === value);
  return labelled && equal(there["spec"], wanted["spec"]);
}

/** A managed cluster's report as it stands in the management cluster. Messages of brokers are not carried over. */
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

/** An ObjectReference. Objects without a namespace say none. */
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

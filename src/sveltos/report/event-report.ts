import {
  eventReportLabels,
  eventReportName,
  firstPart,
  managedEventReportLabels,
  managedEventReportName,
  sveltosNamespace,
  type ClusterId,
} from "../api/index.ts";
import { apiVersionOf, equal, fieldsAt, type KubeObject, type ObjectRef } from "../../core/object/index.ts";
import type { EvaluationResult, Match, MatchFailure } from "../evaluate/index.ts";
import { ReportPacker } from "./report-packer.ts";
import { furtherParts, hasLeftOut, partMetadata, reportAnnotationKeys, type PartInfo } from "./report-part.ts";
import { encodedBytes, encodeResources } from "./resources-codec.ts";

/** Sveltos' ReportPhase: written, being collected by the management cluster, or collected. */
export type ReportPhase = "WaitingForDelivery" | "Delivering" | "Processed";

const eventReportApiVersion = "lib.projectsveltos.io/v1beta1";

/** What a report is about. Without a cluster it is the report that stands in the managed cluster itself. */
export type ReportSubject = { readonly eventSource: string; readonly cluster?: ClusterId };

/** The content of one part of a report. */
type PartContent = Omit<PartInfo, "isLeftOut"> & ReportContent;

/** etcd accepts 1.5 MiB in one request, of which metadata takes a part. */
const maxBytes = 1_450_000;

/** Builds one part of an EventReport. The same input always gives the same object. */
export function buildReportPart(subject: ReportSubject, { part, others, matches, collectResources }: PartContent): KubeObject {
  const { eventSource, cluster } = subject;
  const objects = collectResources ? matches.flatMap(contentOf) : [];
  const isLeftOut = collectResources && matches.some((match) => leftOutBecause(match) !== undefined);
  return {
    apiVersion: eventReportApiVersion,
    kind: "EventReport",
    metadata: partMetadata(cluster === undefined ? managedMetadata(eventSource) : metadataFor(eventSource, cluster), {
      part,
      others,
      isLeftOut,
    }),
    spec: {
      clusterNamespace: cluster?.namespace ?? "",
      clusterName: cluster?.name ?? "",
      clusterType: cluster?.type ?? "",
      eventSourceName: eventSource,
      ...(matches.length > 0 && { matchingResources: matches.map(({ ref }) => objectReferenceOf(ref)) }),
      ...(objects.length > 0 && { resources: encodeResources(objects) }),
    },
  };
}

/** The name of a report, which its further parts have as a prefix. */
export function reportNameFor({ eventSource, cluster }: ReportSubject): string {
  return cluster === undefined ? managedEventReportName(eventSource) : eventReportName(eventSource, cluster);
}

/** All parts of a new report, the first one last: whoever sees it sees the others too. */
export function buildEventReport({ matches, collectResources, ...subject }: ReportSubject & ReportContent): readonly KubeObject[] {
  const packer = new ReportPacker([], (match) => bytesOf(match, collectResources));
  packer.pack(matches);
  const [first = firstPart, ...others] = packer.parts;
  const build = (part: number) => buildReportPart(subject, { part, others, matches: packer.matchesIn(part), collectResources });
  return [...others.map(build), build(first)];
}

/** The matches of a report, and whether it carries the objects, for templates to use. */
export type ReportContent = { readonly matches: readonly Match[]; readonly collectResources: boolean };

/** How much a match adds to a report, in bytes. */
export function bytesOf(match: Match, collectResources: boolean): number {
  const [object] = collectResources ? contentOf(match) : [];
  return JSON.stringify(objectReferenceOf(match.ref)).length + 1 + (object === undefined ? 0 : encodedBytes(object));
}

/** The result with a failure for each match whose content is not in the report. */
export function withLeftOut(result: EvaluationResult, { matches, collectResources }: ReportContent): EvaluationResult {
  if (!collectResources) return result;
  const failures = matches.flatMap((match): readonly MatchFailure[] => {
    const reason = leftOutBecause(match);
    return reason === undefined ? [] : [{ ref: match.ref, reason, effect: "skipped" }];
  });
  return failures.length === 0 ? result : { ...result, failures: [...failures, ...result.failures] };
}

/** Why the content of a match is not in the report: no API server would store it. Undefined when it is. */
function leftOutBecause({ object }: Match): string | undefined {
  if (object === undefined || encodedBytes(object) <= maxBytes) return undefined;
  return `its content would take ${megabytes(encodedBytes(object))} in the report, and an API server stores at most ${megabytes(maxBytes)}: it is reported without its content, and no template is rendered for it`;
}

/** The object that a report carries for a match. */
function contentOf(match: Match): readonly KubeObject[] {
  return match.object === undefined || leftOutBecause(match) !== undefined ? [] : [match.object];
}

/** Whether an existing report has the labels and spec of the desired one. */
export function isSameReport(existing: KubeObject | undefined, desired: KubeObject): boolean {
  if (existing === undefined) return false;
  const labels = existing.metadata.labels ?? {};
  const hasLabels = Object.entries(desired.metadata.labels ?? {}).every(([key, value]) => labels[key] === value);
  const hasParts = reportAnnotationKeys.every((key) => existing.metadata.annotations?.[key] === desired.metadata.annotations?.[key]);
  return hasLabels && hasParts && equal(existing["spec"], desired["spec"]);
}

/** The copy of one part of a managed cluster's report for the management cluster. CloudEvents are left out. */
export function managementCopy(managed: KubeObject, eventSource: string, cluster: ClusterId, part = firstPart): KubeObject {
  const { cloudEvents: _left, ...spec } = fieldsAt(managed, "spec");
  return {
    apiVersion: eventReportApiVersion,
    kind: "EventReport",
    metadata: partMetadata(metadataFor(eventSource, cluster), { part, others: furtherParts(managed), isLeftOut: hasLeftOut(managed) }),
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

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

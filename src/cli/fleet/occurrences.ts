import { clusterSummaryName, configGroup, libGroup } from "../../sveltos/api/index.ts";
import { groupVersionOf, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { FleetClusterRef, OccurrenceOutline } from "../../view/index.ts";
import { clusterRefIn } from "./cluster-ref.ts";
import { statusOccurrences } from "./status-occurrences.ts";

/**
 * Every failure and notable condition in the statuses of these objects and in the Events about them, newest last. What a
 * status and an Event both report is listed once.
 */
export function occurrencesIn(objects: readonly KubeObject[], events: readonly KubeObject[]): readonly OccurrenceOutline[] {
  const statuses = objects.flatMap(statusOccurrences);
  const clusters = new Map(objects.flatMap((object) => clusterEntry(object)));
  const reported = events.filter(isAboutSveltosKind).map((event) => eventOccurrence(event, clusters));
  const eventsOf = Map.groupBy(reported, ({ object }) => keyOf(object));
  const paired = statuses.map((each) => ({
    each,
    same: (eventsOf.get(keyOf(each.object)) ?? []).filter((other) => other.state !== "noted" && isSameMessage(each.message, other.message)),
  }));
  const known = new Set(paired.flatMap(({ same }) => same));
  const isDuplicate = duplicateTest(statuses);
  const current = paired.filter(({ each }) => !isDuplicate(each)).map(({ each, same }) => same.reduce(mergeEvent, each));
  return [...current, ...reported.filter((each) => !known.has(each))].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Selects occurrences. One that belongs to no single cluster belongs to every cluster. */
type OccurrenceFilter = { readonly namespace?: string; readonly cluster?: string; readonly failed: boolean };

export function filterOccurrences(occurrences: readonly OccurrenceOutline[], { namespace, cluster, failed }: OccurrenceFilter) {
  return occurrences
    .filter(({ state }) => !failed || state !== "noted")
    .filter((each) => cluster === undefined || each.cluster === undefined || each.cluster.name === cluster)
    .filter((each) => {
      const home = each.cluster?.namespace ?? each.object.namespace;
      return namespace === undefined || home === "" || home === namespace;
    });
}

function timeOf({ time = "" }: OccurrenceOutline): number {
  return Date.parse(time) || 0;
}

/**
 * Tells whether another object reports an occurrence better. A trigger is preferred to what it generated, since users know the
 * trigger. A ClusterSummary is preferred to its profile, since it has more detail.
 */
function duplicateTest(statuses: readonly OccurrenceOutline[]): (occurrence: OccurrenceOutline) => boolean {
  const summaries = new Set(statuses.filter(isFailingSummary).map(({ object }) => `${object.namespace}/${object.name}`));
  const triggers = statuses.filter(({ object }) => object.kind === "EventTrigger" || object.kind === "EventBasedAddOn");
  return (each) => {
    const { object, cluster, reason, message } = each;
    if (object.kind === "EventReport")
      return triggers.some((other) => sameCluster(other.cluster, cluster) && isSameMessage(other.message, message));
    if (isFailingSummary(each)) return triggers.some((other) => other.message.includes(`${object.name}: `));
    if (reason !== "ClusterFailed" || cluster === undefined) return false;
    const { type = "Sveltos", namespace, name } = cluster;
    const kind = object.kind === "Profile" ? "Profile" : "ClusterProfile";
    return summaries.has(`${namespace}/${clusterSummaryName(kind, object.name, { type, namespace, name })}`);
  };
}

function isFailingSummary({ object, state }: OccurrenceOutline): boolean {
  return object.kind === "ClusterSummary" && state === "failing";
}

function sameCluster(a: FleetClusterRef | undefined, b: FleetClusterRef | undefined): boolean {
  return a?.namespace === b?.namespace && a?.name === b?.name;
}

function isAboutSveltosKind(event: KubeObject): boolean {
  const { group } = groupVersionOf(stringAt(event, "involvedObject.apiVersion", ""));
  return group === libGroup || group === configGroup;
}

function eventOccurrence(event: KubeObject, clusters: ReadonlyMap<string, FleetClusterRef>): OccurrenceOutline {
  const text = (path: string) => stringAt(event, path, "");
  const object = { kind: text("involvedObject.kind"), namespace: text("involvedObject.namespace"), name: text("involvedObject.name") };
  const time = ["series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"]
    .map(text)
    .find((each) => each !== "");
  const cluster = clusters.get(keyOf(object));
  const count = numberAt(event, "series.count", numberAt(event, "count", 1));
  return {
    ...(time === undefined ? {} : { time }),
    state: text("type") === "Warning" ? "failed" : "noted",
    object,
    ...(cluster === undefined ? {} : { cluster }),
    reason: text("reason"),
    message: text("message"),
    ...(count > 1 ? { count } : {}),
  };
}

/** The cluster that everything about an object refers to, if there is one. */
function clusterEntry(object: KubeObject): readonly (readonly [string, FleetClusterRef])[] {
  const { kind, metadata } = object;
  const key = keyOf({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
  if (kind === "ClusterSummary" || kind === "EventReport") return [[key, clusterRefIn(object)]];
  return kind === "SveltosCluster" ? [[key, { type: "Sveltos", namespace: metadata.namespace ?? "", name: metadata.name }]] : [];
}

function keyOf({ kind, namespace, name }: OccurrenceOutline["object"]): string {
  return `${kind}/${namespace}/${name}`;
}

/** Tells whether two messages are the same or one contains the other. Some begin with a location, and long ones are truncated. */
function isSameMessage(one: string, other: string): boolean {
  const [a, b] = [withoutEllipsis(one), withoutEllipsis(other)];
  if (a === "" || b === "") return false;
  return a.includes(b) || b.includes(a) || (b !== other && a.startsWith(b.slice(b.indexOf(": ") + 2)));
}

function withoutEllipsis(message: string): string {
  return message.replace(/…$/, "");
}

/** Completes an occurrence from a status with what its Event adds: the time, the count, and a reason where the status has none. */
function mergeEvent(occurrence: OccurrenceOutline, { time, count, reason }: OccurrenceOutline): OccurrenceOutline {
  const known = { ...(time === undefined ? {} : { time }), ...(count === undefined ? {} : { count }) };
  return { ...occurrence, ...known, ...(occurrence.reason === "Failed" ? { reason } : {}) };
}

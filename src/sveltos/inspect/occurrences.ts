import { clusterSummaryName, configGroup, libGroup } from "../api/index.ts";
import { groupVersionOf, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { FleetClusterRef } from "../../view/index.ts";
import { clusterRefIn, isClusterCalled } from "./cluster-ref.ts";
import { isSameCluster, isSameMessage, objectKey, timeOf, type Occurrence } from "./occurrence.ts";
import { statusOccurrences } from "./status-occurrences.ts";

/**
 * Every failure and notable condition in the statuses of these objects and in the Events about them, newest last. What a
 * status and an Event both report is listed once.
 */
export function occurrencesIn(objects: readonly KubeObject[], events: readonly KubeObject[]): readonly Occurrence[] {
  const statuses = objects.flatMap(statusOccurrences);
  const clusters = new Map(objects.flatMap((object) => clusterEntry(object)));
  const reported = events.filter(isAboutSveltosKind).map((event) => eventOccurrence(event, clusters));
  const eventsOf = Map.groupBy(reported, ({ object }) => objectKey(object));
  const paired = statuses.map((each) => ({
    each,
    same: (eventsOf.get(objectKey(each.object)) ?? []).filter(
      (other) => other.state !== "noted" && isSameMessage(each.message, other.message),
    ),
  }));
  const known = new Set(paired.flatMap(({ same }) => same));
  const isDuplicate = duplicateTest(statuses);
  const current = paired.filter(({ each }) => !isDuplicate(each)).map(({ each, same }) => same.reduce(mergeEvent, each));
  return [...current, ...reported.filter((each) => !known.has(each))].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Selects occurrences. One that belongs to no single cluster belongs to every cluster. */
type OccurrenceFilter = {
  /** Of clusters in this namespace. */
  readonly namespace?: string;
  /** Of the cluster that is called so. */
  readonly cluster?: string;
  readonly failed: boolean;
  /** What is over, too. */
  readonly all: boolean;
  /** Not reported before this time, in milliseconds. What has no time is selected. */
  readonly sinceMs?: number;
};

export function filterOccurrences(
  occurrences: readonly Occurrence[],
  { namespace, cluster, failed, all, sinceMs = -Infinity }: OccurrenceFilter,
): readonly Occurrence[] {
  return occurrences
    .filter(({ current }) => all || current)
    .filter(({ state }) => !failed || state !== "noted")
    .filter((each) => each.time === undefined || timeOf(each) >= sinceMs)
    .filter((each) => cluster === undefined || each.cluster === undefined || isClusterCalled(each.cluster, cluster))
    .filter((each) => {
      const home = each.cluster?.namespace ?? each.object.namespace;
      return namespace === undefined || home === "" || home === namespace;
    });
}

/**
 * Tells whether another object reports an occurrence better. A trigger is preferred to what it generated, since users know the
 * trigger. A ClusterSummary is preferred to its profile, since it has more detail, and an EventSource to those who use it.
 */
function duplicateTest(statuses: readonly Occurrence[]): (occurrence: Occurrence) => boolean {
  const failing = statuses.filter(isFailingSummary);
  const summaries = new Set(failing.map(({ object }) => `${object.namespace}/${object.name}`));
  const triggers = statuses.filter(({ object }) => triggerKinds.has(object.kind));
  const sources = statuses.filter(({ object }) => object.kind === "EventSource");
  const named = new Set(triggers.flatMap(({ message }) => [...message.matchAll(/(\S+): /g)].map(([, name]) => name)));
  return (each) => {
    const { object, cluster, reason, message } = each;
    if (object.kind === "EventReport")
      return triggers.some((other) => isSameCluster(other.cluster, cluster) && isSameMessage(other.message, message));
    if (isFailingSummary(each)) return named.has(object.name);
    if (triggerKinds.has(object.kind)) return repeatsSource(each, sources);
    if (reason === "WithdrawalFailed") return failing.some((other) => isSameMessage(other.message, message));
    if (reason !== "ClusterFailed" || cluster === undefined) return false;
    const { type = "Sveltos", namespace, name } = cluster;
    const kind = object.kind === "Profile" ? "Profile" : "ClusterProfile";
    return summaries.has(`${namespace}/${clusterSummaryName(kind, object.name, { type, namespace, name })}`);
  };
}

const triggerKinds: ReadonlySet<string> = new Set(["EventTrigger", "EventBasedAddOn"]);

/** Tells whether a trigger only says what its EventSource says: many triggers may use one. */
function repeatsSource({ message, cluster, reason }: Occurrence, sources: readonly Occurrence[]): boolean {
  const [, name, text = ""] = /^EventSource (\S+): (.*)$/s.exec(message) ?? [];
  return sources.some(
    (source) =>
      (source.reason === reason && source.message === message) ||
      (source.object.name === name &&
        (source.cluster === undefined || isSameCluster(source.cluster, cluster)) &&
        isSameMessage(text.replace(/ \(and \d+ more\)$/, ""), source.message)),
  );
}

function isFailingSummary({ object, state }: Occurrence): boolean {
  return object.kind === "ClusterSummary" && state === "failing";
}

function isAboutSveltosKind(event: KubeObject): boolean {
  const { group } = groupVersionOf(stringAt(event, "involvedObject.apiVersion", ""));
  return group === libGroup || group === configGroup;
}

function eventOccurrence(event: KubeObject, clusters: ReadonlyMap<string, FleetClusterRef>): Occurrence {
  const text = (path: string) => stringAt(event, path, "");
  const object = { kind: text("involvedObject.kind"), namespace: text("involvedObject.namespace"), name: text("involvedObject.name") };
  const time = ["series.lastObservedTime", "lastTimestamp", "eventTime", "metadata.creationTimestamp"]
    .map(text)
    .find((each) => each !== "");
  const cluster = clusters.get(objectKey(object));
  const count = numberAt(event, "series.count", numberAt(event, "count", 1));
  return {
    ...(time === undefined ? {} : { time }),
    state: text("type") === "Warning" ? "failed" : "noted",
    current: false,
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
  const key = objectKey({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
  if (kind === "ClusterSummary" || kind === "EventReport") return [[key, clusterRefIn(object)]];
  return kind === "SveltosCluster" ? [[key, { type: "Sveltos", namespace: metadata.namespace ?? "", name: metadata.name }]] : [];
}

/** Completes an occurrence from a status with what its Event adds: the time, the count, and a reason where the status has none. */
function mergeEvent(occurrence: Occurrence, { time, count, reason }: Occurrence): Occurrence {
  // A cluster is down since its status says so, however often it is said.
  const isSince = occurrence.object.kind === "SveltosCluster";
  const known = { ...(time === undefined || isSince ? {} : { time }), ...(count === undefined ? {} : { count }) };
  return { ...occurrence, ...known, ...(occurrence.reason === "Failed" ? { reason } : {}) };
}

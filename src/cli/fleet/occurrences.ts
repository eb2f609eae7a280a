import { clusterSummaryName, configGroup, libGroup } from "../../sveltos/api/index.ts";
import { groupVersionOf, numberAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import type { FleetClusterRef, OccurrenceOutline } from "../../view/index.ts";
import { clusterRefIn } from "./cluster-ref.ts";
import { statusOccurrences } from "./status-occurrences.ts";

/**
 * Every failure and noteworthy thing of these objects, and what Kubernetes Events tell of them; newest last. What is said
 * in two places is told once.
 */
export function occurrencesIn(objects: readonly KubeObject[], events: readonly KubeObject[]): readonly OccurrenceOutline[] {
  const standing = objects.flatMap(statusOccurrences);
  const clusters = new Map(objects.flatMap((object) => clusterEntry(object)));
  const told = events.filter(isAboutSveltosKind).map((event) => eventOccurrence(event, clusters));
  const toldOf = Map.groupBy(told, ({ object }) => keyOf(object));
  const paired = standing.map((each) => ({
    each,
    same: (toldOf.get(keyOf(each.object)) ?? []).filter((other) => other.state !== "noted" && isSameMessage(each.message, other.message)),
  }));
  const known = new Set(paired.flatMap(({ same }) => same));
  const isEcho = duplicateTest(standing);
  const current = paired.filter(({ each }) => !isEcho(each)).map(({ each, same }) => same.reduce(mergeEvent, each));
  return [...current, ...told.filter((each) => !known.has(each))].toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** Which occurrences are asked for. What concerns no single cluster concerns each. */
export type OccurrenceFilter = { readonly namespace?: string; readonly cluster?: string; readonly failed: boolean };

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
 * Tells what only repeats what is known elsewhere. Where a trigger tells of it, that is told: its writer knows it, and not
 * what was generated. A profile repeats the failures of its ClusterSummaries, which say more.
 */
function duplicateTest(standing: readonly OccurrenceOutline[]): (occurrence: OccurrenceOutline) => boolean {
  const summaries = new Set(standing.filter(isFailingSummary).map(({ object }) => `${object.namespace}/${object.name}`));
  const triggers = standing.filter(({ object }) => object.kind === "EventTrigger" || object.kind === "EventBasedAddOn");
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

/** The cluster that all said of an object is about, where there is one. */
function clusterEntry(object: KubeObject): readonly (readonly [string, FleetClusterRef])[] {
  const { kind, metadata } = object;
  const key = keyOf({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
  if (kind === "ClusterSummary" || kind === "EventReport") return [[key, clusterRefIn(object)]];
  return kind === "SveltosCluster" ? [[key, { type: "Sveltos", namespace: metadata.namespace ?? "", name: metadata.name }]] : [];
}

function keyOf({ kind, namespace, name }: OccurrenceOutline["object"]): string {
  return `${kind}/${namespace}/${name}`;
}

/** Tells whether one message is the other, or a part of it. Some say where before it, and long ones are cut short. */
function isSameMessage(one: string, other: string): boolean {
  const [a, b] = [withoutEllipsis(one), withoutEllipsis(other)];
  if (a === "" || b === "") return false;
  return a.includes(b) || b.includes(a) || (b !== other && a.startsWith(b.slice(b.indexOf(": ") + 2)));
}

function withoutEllipsis(message: string): string {
  return message.replace(/…$/, "");
}

/** What the status says, with what its Event knows better: when, how often, and why in one word where the status has none. */
function mergeEvent(standing: OccurrenceOutline, { time, count, reason }: OccurrenceOutline): OccurrenceOutline {
  const known = { ...(time === undefined ? {} : { time }), ...(count === undefined ? {} : { count }) };
  return { ...standing, ...known, ...(standing.reason === "Failed" ? { reason } : {}) };
}

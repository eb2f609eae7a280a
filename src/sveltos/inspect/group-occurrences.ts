import { originOf } from "../api/index.ts";
import { isDeleting, type KubeObject } from "../../core/object/index.ts";
import type { FleetClusterRef, OccurrenceOutline } from "../../view/index.ts";
import { clusterRefIn, compareClusters } from "./cluster-ref.ts";
import { generalText } from "./general-text.ts";
import { isSameMessage, objectKey, timeOf, type Occurrence } from "./occurrence.ts";
import { ownerProfileOf } from "./owner-profile.ts";

/**
 * One outline for each cause, with the clusters that it concerns, newest last. What is said of a ClusterSummary is said of its
 * profile, or of the trigger that generated the profile: these are what users write.
 */
export function groupByCause(occurrences: readonly Occurrence[], objects: readonly KubeObject[]): readonly OccurrenceOutline[] {
  const subjects = subjectsOf(objects);
  const told = occurrences.map((each) => aboutSubject(each, subjects)).flatMap((each) => inClusters(each, subjects));
  const standing = Map.groupBy(
    told.filter(({ current }) => current),
    ({ object }) => objectKey(object),
  );
  const messages = new Map([...standing].map(([key, same]) => [key, [...new Set(same.map(({ message }) => message))]]));
  const isEcho = ({ current, state, object, message }: Occurrence) =>
    !current && state === "failed" && (messages.get(objectKey(object)) ?? []).some((other) => isSameMessage(other, message));
  const groups = Map.groupBy(
    told.filter((each) => !isEcho(each)),
    causeKey,
  );
  const triggers = triggersOf(objects);
  return [...groups.values()]
    .map(outlineOf)
    .map((outline) => ({ ...outline, message: withTriggers(outline.message, triggers) }))
    .toSorted((a, b) => timeOf(a) - timeOf(b));
}

/** The triggers of generated profiles, by the name of the profile. */
function triggersOf(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects.flatMap(({ metadata }) => {
      const name = metadata.ownerReferences?.[0]?.name ?? metadata.name;
      const trigger = originOf(metadata.labels)?.trigger;
      return trigger === undefined ? [] : [[name, trigger] as const];
    }),
  );
}

/** Users know the trigger, and not the name of a profile that it has generated. */
function withTriggers(message: string, triggers: ReadonlyMap<string, string>): string {
  return message.replaceAll(/\bClusterProfile (sveltos-[0-9a-z]{20})\b/g, (text, name: string) => {
    const trigger = triggers.get(name);
    return trigger === undefined ? text : `${text} (made by EventTrigger ${trigger})`;
  });
}

/** What users know an object by, and the cluster that it stands for. */
type Subject = {
  readonly object: OccurrenceOutline["object"];
  readonly cluster: FleetClusterRef;
  /** The ClusterSummary is being deleted. */
  readonly isWithdrawing: boolean;
};

/** The subjects of ClusterSummaries, by `objectKey`. */
function subjectsOf(objects: readonly KubeObject[]): ReadonlyMap<string, Subject> {
  return new Map(
    objects.flatMap((object): readonly (readonly [string, Subject])[] => {
      const { kind, metadata } = object;
      if (kind !== "ClusterSummary") return [];
      const owner = ownerProfileOf(object);
      const trigger = originOf(metadata.labels)?.trigger;
      if (owner === undefined) return [];
      const profile = { kind: owner.kind, namespace: owner.namespace ?? "", name: owner.name };
      const subject = trigger === undefined ? profile : { kind: "EventTrigger", namespace: "", name: trigger };
      const key = objectKey({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
      return [[key, { object: subject, cluster: clusterRefIn(object), isWithdrawing: isDeleting(object) }]];
    }),
  );
}

/** A condition about a withdrawal names no single cluster: it is about those in which it is under way. */
function inClusters(occurrence: Occurrence, subjects: ReadonlyMap<string, Subject>): readonly Occurrence[] {
  const { object, cluster, current, message, reason } = occurrence;
  if (!current || cluster !== undefined || !message.includes("what it has deployed cannot be withdrawn")) return [occurrence];
  const own = [...subjects.values()].filter((each) => each.isWithdrawing && objectKey(each.object) === objectKey(object));
  return own.length === 0 ? [occurrence] : own.map((each) => ({ ...occurrence, cluster: each.cluster, cause: reason }));
}

function aboutSubject(occurrence: Occurrence, subjects: ReadonlyMap<string, Subject>): Occurrence {
  const own = subjects.get(objectKey(occurrence.object));
  if (own !== undefined) return { ...occurrence, object: own.object, cluster: own.cluster };
  // An Event about a profile names the ClusterSummary that it is about: `fleet/web-sveltos-east: forbidden`.
  const [, namespace = "", name = "", message = ""] = /^([^\s/]+)\/(\S+): (.*)$/s.exec(occurrence.message) ?? [];
  const named = occurrence.current ? undefined : subjects.get(objectKey({ kind: "ClusterSummary", namespace, name }));
  return named === undefined ? occurrence : { ...occurrence, object: named.object, cluster: named.cluster, message };
}

/** Messages differ by the names of what was made for each cluster, which is the same cause. */
function causeKey({ state, object, message, cause = message, cluster }: Occurrence): string {
  const text = cluster === undefined ? cause : generalText(cause, cluster);
  // Clusters that cannot be reached for the same reason, such as a broken network, differ by their addresses alone.
  if (object.kind === "SveltosCluster") return JSON.stringify([state, object.kind, text.replaceAll(/https?:\/\/[^\s/]+/g, "{server}")]);
  return JSON.stringify([state, object, text]);
}

function outlineOf(same: readonly Occurrence[]): OccurrenceOutline {
  const latest = same.reduce((a, b) => (timeOf(b) > timeOf(a) ? b : a));
  const { time, state, object, reason, message } = latest;
  const clusters = distinctClusters(same.flatMap(({ cluster }) => cluster ?? []));
  const objects = new Set(same.flatMap((each) => (each.cause === undefined ? [] : [each.message]))).size;
  const count = same.reduce((sum, each) => sum + (each.count ?? 1), 0);
  const isRepeated = same.some((each) => (each.count ?? 1) > 1);
  return {
    ...(time === undefined ? {} : { time }),
    state,
    object,
    ...(clusters.length === 1 ? { cluster: clusters[0]! } : {}),
    clusters,
    reason,
    message: objects > 1 ? `${message} (and ${objects - 1} more)` : message,
    ...(isRepeated ? { count } : {}),
  };
}

function distinctClusters(clusters: readonly FleetClusterRef[]): readonly FleetClusterRef[] {
  return [...new Map(clusters.map((cluster) => [`${cluster.type}/${cluster.namespace}/${cluster.name}`, cluster])).values()].toSorted(
    compareClusters,
  );
}

import { clusterReferredTo, originOf } from "../api/index.ts";
import { listAt, stringAt, type KubeObject } from "../../core/object/index.ts";
import { objectKey, type Occurrence } from "./occurrence.ts";
import { ownerProfileOf } from "./owner-profile.ts";
import { matchesProfile, type ProfileFilter } from "./profile-filter.ts";

/**
 * Tells which occurrences concern a profile: its own and those of its ClusterSummaries, of the clusters that it matches, and
 * of the trigger and the EventSource that it comes from.
 */
export function concernsProfile(objects: readonly KubeObject[], profile: ProfileFilter): (occurrence: Occurrence) => boolean {
  const own = objects.filter((object) => isOf(object, profile));
  const triggers = new Set(own.flatMap(({ metadata }) => originOf(metadata.labels)?.trigger ?? []));
  const sources = objects.filter(({ kind, metadata }) => triggerKinds.has(kind) && triggers.has(metadata.name));
  const clusters = own.flatMap((object) => listAt(object, "status.matchingClusters")).flatMap((each) => clusterReferredTo(each) ?? []);
  const keys = new Set([
    ...[...own, ...sources].map(keyFor),
    ...clusters.map(({ namespace, name }) => objectKey({ kind: "SveltosCluster", namespace, name })),
    ...sources.map((trigger) => objectKey({ kind: "EventSource", namespace: "", name: stringAt(trigger, "spec.eventSourceName", "") })),
  ]);
  return ({ object }) => keys.has(objectKey(object));
}

const triggerKinds = new Set(["EventTrigger", "EventBasedAddOn"]);

function isOf(object: KubeObject, filter: ProfileFilter): boolean {
  const { kind, metadata } = object;
  if (kind === "ClusterProfile" || kind === "Profile") return matchesProfile({ kind, name: metadata.name }, filter);
  const owner = kind === "ClusterSummary" ? ownerProfileOf(object) : undefined;
  return owner !== undefined && matchesProfile(owner, filter);
}

function keyFor({ kind, metadata }: KubeObject): string {
  return objectKey({ kind, namespace: metadata.namespace ?? "", name: metadata.name });
}

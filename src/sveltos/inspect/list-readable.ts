import { eventTriggerNameLabel, originOf, type KindName } from "../api/index.ts";
import { listSveltosObjects } from "../fleet/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isApiFault, isForbidden, type Cluster, type ListOptions } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { profileFilterText, matchesProfile, type ProfileFilter } from "./profile-filter.ts";

/** What is said of a kind that may not be read. */
export function unreadableText(kind: string, because: string): string {
  return `${kind} objects cannot be read, and what they say is missing here: ${because}`;
}

/** Is told why a part of an answer is missing. */
export type OnUnreadable = (message: string) => void;

/** As `listSveltosObjects`. Without the right to list them there are none, and `onUnreadable` is told. */
export async function listReadable(
  hub: Cluster,
  kind: KindName,
  options: ListOptions,
  onUnreadable: OnUnreadable,
): Promise<readonly KubeObject[]> {
  try {
    return await listSveltosObjects(hub, kind, options);
  } catch (error) {
    if (!isApiFault(error) || !isForbidden(error)) throw error;
    onUnreadable(unreadableText(kind, error.explanation));
    return [];
  }
}

/** The triggers that generated ClusterProfiles, by the labels of these. */
export async function listTriggersByProfile(
  hub: Cluster,
  onUnreadable: OnUnreadable,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const generated = await listReadable(hub, "ClusterProfile", { labelSelector: eventTriggerNameLabel, signal }, onUnreadable);
  return new Map(
    generated.flatMap(({ metadata }) => {
      const origin = originOf(metadata.labels);
      return origin === undefined ? [] : [[metadata.name, origin.trigger] as const];
    }),
  );
}

/** Fails when there is no such profile. */
export async function requireProfile(hub: Cluster, choice: ProfileFilter, signal: AbortSignal): Promise<void> {
  const lists = await Promise.all(
    (["ClusterProfile", "Profile"] as const).map(async (kind) => profiles(kind, await listSveltosObjects(hub, kind, { signal }))),
  );
  if (lists.flat().some((profile) => matchesProfile(profile, choice))) return;
  throw new Fault(`there is no profile ${profileFilterText(choice)}: sluice show usage lists them`, undefined, { final: true });
}

function profiles(kind: "ClusterProfile" | "Profile", objects: readonly KubeObject[]) {
  return objects.map(({ metadata }) => ({ kind, name: metadata.name }));
}

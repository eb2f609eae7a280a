import { gvkOf, type KindName } from "../../sveltos/api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isUnknownKind, type Cluster, type ListOptions } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { profileFilterText, matchesProfile, type ProfileFilter } from "./profile-filter.ts";

/** Lists the objects of a Sveltos kind; none when the kind is not served. */
export async function listSveltosObjects(hub: Cluster, kind: KindName, options: ListOptions): Promise<readonly KubeObject[]> {
  try {
    return (await hub.list(gvkOf(kind), options)).items;
  } catch (error) {
    if (isUnknownKind(error)) return [];
    throw error;
  }
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

import { gvkOf, type KindName } from "../../sveltos/api/index.ts";
import { Fault } from "../../core/fault/index.ts";
import { isUnknownKind, type Cluster, type ListOptions } from "../../kube/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { choiceText, isChosen, type ProfileChoice } from "./choice.ts";

/** All objects of a kind of ours; none where the kind is not served. */
export async function listOwn(hub: Cluster, kind: KindName, options: ListOptions): Promise<readonly KubeObject[]> {
  try {
    return (await hub.list(gvkOf(kind), options)).items;
  } catch (error) {
    if (isUnknownKind(error)) return [];
    throw error;
  }
}

/** Refuses a profile that nobody has written. */
export async function requireProfile(hub: Cluster, choice: ProfileChoice, signal: AbortSignal): Promise<void> {
  const lists = await Promise.all(
    (["ClusterProfile", "Profile"] as const).map(async (kind) => profiles(kind, await listOwn(hub, kind, { signal }))),
  );
  if (lists.flat().some((profile) => isChosen(profile, choice))) return;
  throw new Fault(`there is no profile ${choiceText(choice)}: sluice show usage lists them`, undefined, { final: true });
}

function profiles(kind: "ClusterProfile" | "Profile", objects: readonly KubeObject[]) {
  return objects.map(({ metadata }) => ({ kind, name: metadata.name }));
}

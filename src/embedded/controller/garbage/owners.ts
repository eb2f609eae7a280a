import { groupVersionOf, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import type { World } from "../controller.ts";

/** Where an object is. */
export type Place = { readonly resource: string; readonly namespace: string; readonly name: string };

/** What an owner reference comes to: an owner that lives, one that is gone, one that waits for its dependents, or none that could be looked up. */
export type Standing = "solid" | "dangling" | "waiting" | "unknown";

/**
 * Judges one reference of `dependent`. Models pkg/controller/garbagecollector/garbagecollector.go isDangling: an owner
 * counts only in the dependent's own namespace or without one, and a kind that nobody serves is left alone.
 */
export function standingOf(world: World, dependent: KubeObject, reference: OwnerReference, places: ReadonlyMap<string, Place>): Standing {
  const place = places.get(reference.uid);
  const home = dependent.metadata.namespace ?? "";
  if (place !== undefined && place.namespace !== "" && home === "") return "unknown";
  const isReachable = place !== undefined && (place.namespace === "" || place.namespace === home);
  const owner = isReachable ? world.api.read(place.resource, place.namespace, place.name) : undefined;
  if (owner?.metadata.uid === reference.uid && owner.metadata.name === reference.name) {
    return isDeletingDependents(owner) ? "waiting" : "solid";
  }
  return isServed(world, reference) ? "dangling" : "unknown";
}

export function isDeletingDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes("foregroundDeletion");
}

/** A reference names a kind; resources are known by their plural, which English makes in one of three ways. */
function isServed(world: World, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = groupVersionOf(apiVersion);
  const singular = kind.toLowerCase();
  const plurals = [singular, `${singular}s`, `${singular}es`, `${singular.slice(0, -1)}ies`].map((plural) =>
    group === "" ? plural : `${plural}.${group}`,
  );
  return world.resources().some(({ resource }) => plurals.includes(resource));
}

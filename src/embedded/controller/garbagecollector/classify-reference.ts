import { groupVersionOf, type KubeObject, type OwnerReference } from "../../../core/object/index.ts";
import type { EmbeddedControllerContext } from "../controller.ts";

/** The coordinates of an object. */
export type ObjectCoordinates = { readonly resource: string; readonly namespace: string; readonly name: string };

/** The class of an owner reference: the owner exists, is gone, waits for its dependents, or cannot be looked up. */
export type ReferenceClass = "solid" | "dangling" | "waiting" | "unknown";

/**
 * Classifies one owner reference of `dependent`. Models pkg/controller/garbagecollector/garbagecollector.go isDangling:
 * the owner must be cluster-scoped or in the dependent's namespace, and a kind that is not served is left alone.
 */
export function classifyReference(
  context: EmbeddedControllerContext,
  dependent: KubeObject,
  reference: OwnerReference,
  coordinatesByUid: ReadonlyMap<string, ObjectCoordinates>,
): ReferenceClass {
  const coordinates = coordinatesByUid.get(reference.uid);
  const namespace = dependent.metadata.namespace ?? "";
  if (coordinates !== undefined && coordinates.namespace !== "" && namespace === "") return "unknown";
  const isReachable = coordinates !== undefined && (coordinates.namespace === "" || coordinates.namespace === namespace);
  const owner = isReachable ? context.api.read(coordinates.resource, coordinates.namespace, coordinates.name) : undefined;
  if (owner?.metadata.uid === reference.uid && owner.metadata.name === reference.name) {
    return isDeletingDependents(owner) ? "waiting" : "solid";
  }
  return isServed(context, reference) ? "dangling" : "unknown";
}

export function isDeletingDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes("foregroundDeletion");
}

/** A reference names a kind; resources are named by their plural, which is guessed in the three regular ways. */
function isServed(context: EmbeddedControllerContext, { apiVersion, kind }: OwnerReference): boolean {
  const { group } = groupVersionOf(apiVersion);
  const singular = kind.toLowerCase();
  const plurals = [singular, `${singular}s`, `${singular}es`, `${singular.slice(0, -1)}ies`].map((plural) =>
    group === "" ? plural : `${plural}.${group}`,
  );
  return context.resources().some(({ resource }) => plurals.includes(resource));
}

import type { KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import { isStatusError } from "../../status-error.ts";
import { newControllerRef, isControlledBy, controllerManager } from "./controller-ref.ts";

type ClaimOptions = {
  readonly api: ApiClient;
  readonly owner: KubeObject;
  readonly resource: string;
  /** Whether the owner's selector, or another rule, matches an object. */
  readonly matches: (object: KubeObject) => boolean;
  /** A finalizer that adopted objects get. Default: none. */
  readonly finalizer?: string;
};

/**
 * Adopts matching orphans and releases owned objects that no longer match; returns the objects owned then. A
 * terminating owner neither adopts nor releases.
 *
 * Models pkg/controller/controller_ref_manager.go ClaimObject
 */
export function claimObjects(options: ClaimOptions, owned: Iterable<KubeObject>, orphans: Iterable<KubeObject>): KubeObject[] {
  const claimed: KubeObject[] = [];
  const { owner, matches } = options;
  const ownerDeleting = owner.metadata.deletionTimestamp !== undefined;
  for (const object of owned) {
    if (!isControlledBy(object, owner)) continue;
    if (matches(object)) claimed.push(object);
    else if (!ownerDeleting) release(options, object);
  }
  if (ownerDeleting) return claimed;
  // Adoption removes objects from the index of orphans while it is iterated.
  const matching = Array.from(orphans).filter((object) => object.metadata.deletionTimestamp === undefined && matches(object));
  for (const object of matching) {
    const adopted = adopt(options, object);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

function adopt({ api, owner, resource, finalizer }: ClaimOptions, object: KubeObject): KubeObject | undefined {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const metadata = {
    ...object.metadata,
    ownerReferences: [...others, newControllerRef(owner)],
    ...(finalizer === undefined || finalizers.includes(finalizer) ? {} : { finalizers: [...finalizers, finalizer] }),
  };
  return unlessGone(() => api.update(resource, { ...object, metadata }, controllerManager));
}

function release({ api, owner, resource, finalizer }: ClaimOptions, object: KubeObject): void {
  const { ownerReferences = [], finalizers = [], ...rest } = object.metadata;
  const owners = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const kept = finalizers.filter((name) => name !== finalizer);
  const metadata = {
    ...rest,
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
    ...(kept.length === 0 ? {} : { finalizers: kept }),
  };
  unlessGone(() => api.update(resource, { ...object, metadata }, controllerManager));
}

function unlessGone(write: () => KubeObject): KubeObject | undefined {
  try {
    return write();
  } catch (error) {
    if (isStatusError(error, "NotFound")) return undefined;
    throw error;
  }
}

import type { KubeObject } from "../../../core/object/index.ts";
import type { Api } from "../../api/index.ts";
import { isRefusal } from "../../refusal.ts";
import { asController, isControlledBy, manager } from "./reference.ts";

type Claim = {
  readonly api: Api;
  readonly owner: KubeObject;
  readonly resource: string;
  /** Tells whether an object belongs to the owner: by its selector, and whatever else there is to it. */
  readonly matches: (object: KubeObject) => boolean;
  /** Put on what is adopted. Default: none. */
  readonly finalizer?: string;
};

/**
 * Takes in the orphans that match and lets go of the owned that no longer do; answers what is owned then.
 * Nothing is taken in or let go while the owner is being deleted.
 *
 * Models pkg/controller/controller_ref_manager.go ClaimObject
 */
export function claim(terms: Claim, owned: Iterable<KubeObject>, orphans: Iterable<KubeObject>): KubeObject[] {
  const claimed: KubeObject[] = [];
  const { owner, matches } = terms;
  const leaving = owner.metadata.deletionTimestamp !== undefined;
  for (const object of owned) {
    if (!isControlledBy(object, owner)) continue;
    if (matches(object)) claimed.push(object);
    else if (!leaving) release(terms, object);
  }
  if (leaving) return claimed;
  // Adopting takes objects out of the index of orphans while it is being read.
  const matching = Array.from(orphans).filter((object) => object.metadata.deletionTimestamp === undefined && matches(object));
  for (const object of matching) {
    const adopted = adopt(terms, object);
    if (adopted !== undefined) claimed.push(adopted);
  }
  return claimed;
}

function adopt({ api, owner, resource, finalizer }: Claim, object: KubeObject): KubeObject | undefined {
  const { ownerReferences = [], finalizers = [] } = object.metadata;
  const others = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const metadata = {
    ...object.metadata,
    ownerReferences: [...others, asController(owner)],
    ...(finalizer === undefined || finalizers.includes(finalizer) ? {} : { finalizers: [...finalizers, finalizer] }),
  };
  return unlessGone(() => api.update(resource, { ...object, metadata }, manager));
}

function release({ api, owner, resource, finalizer }: Claim, object: KubeObject): void {
  const { ownerReferences = [], finalizers = [], ...rest } = object.metadata;
  const owners = ownerReferences.filter(({ uid }) => uid !== owner.metadata.uid);
  const kept = finalizers.filter((name) => name !== finalizer);
  const metadata = {
    ...rest,
    ...(owners.length === 0 ? {} : { ownerReferences: owners }),
    ...(kept.length === 0 ? {} : { finalizers: kept }),
  };
  unlessGone(() => api.update(resource, { ...object, metadata }, manager));
}

function unlessGone(write: () => KubeObject): KubeObject | undefined {
  try {
    return write();
  } catch (error) {
    if (isRefusal(error, "NotFound")) return undefined;
    throw error;
  }
}

import type { KubeObject } from "../../../core/object/index.ts";
import type { ApiClient } from "../../apiserver/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import { namespacedKeyOf } from "../controller.ts";
import type { OrphanIndex } from "./orphan-index.ts";
import { controllerOf } from "./controller-ref.ts";
import { ownerSelectorOf } from "./owner-selector.ts";

type OwnedWatch = {
  readonly api: ApiClient;
  /** The owners: their kind, and their resource. */
  readonly kind: string;
  readonly resource: string;
  /** Updated by the watch. */
  readonly orphans: OrphanIndex;
  /** Whether an owner would adopt an orphan. Default: by its `spec.selector`. */
  readonly selects?: (owner: KubeObject, orphan: KubeObject) => boolean;
  /** Which events enqueue owners. Default: all. */
  readonly concerns?: (change: StoreEvent) => boolean;
};

/** Watches owned objects: an event enqueues the object's controller or, for an orphan, every owner that would adopt it. */
export function watchOwned({ api, kind, resource, orphans, selects = bySelector, concerns }: OwnedWatch): (change: StoreEvent) => string[] {
  return (change) => {
    const orphan = orphans.observe(change);
    const keys = ownersOf(change, kind);
    if ((orphan === undefined && keys.length === 0) || concerns?.(change) === false) return [];
    if (orphan === undefined || change.type === "DELETED") return keys;
    const takers = api.list(resource, orphan.metadata.namespace).filter((owner) => selects(owner, orphan));
    return [...keys, ...takers.map(namespacedKeyOf)];
  };
}

/** The keys of the controllers of this kind before and after an event. */
function ownersOf({ object, previous }: StoreEvent, kind: string): string[] {
  const after = controllerOf(object);
  const keys = after?.kind === kind ? [`${object.metadata.namespace ?? ""}/${after.name}`] : [];
  if (previous === undefined || previous.metadata.ownerReferences === object.metadata.ownerReferences) return keys;
  const before = controllerOf(previous);
  if (before?.kind === kind && before.uid !== after?.uid) keys.push(`${previous.metadata.namespace ?? ""}/${before.name}`);
  return keys;
}

function bySelector(owner: KubeObject, { metadata }: KubeObject): boolean {
  return ownerSelectorOf(owner).matches(metadata.labels);
}

import type { KubeObject } from "../../../core/object/index.ts";
import type { Change } from "../../store/index.ts";
import type { Controller, MakeController, World } from "../controller.ts";
import { isDeletingDependents, standingOf, type Place, type Standing } from "./owners.ts";

const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";
const writer = "kube-controller-manager";

/** The garbage collector. */
export const garbageCollector: MakeController = (world) => new GarbageCollector(world);

/** Models pkg/controller/garbagecollector */
class GarbageCollector implements Controller {
  readonly name = "garbage-collector";
  readonly #world: World;
  /** Where each object is, by uid. */
  readonly #places = new Map<string, Place>();

  constructor(world: World) {
    this.#world = world;
    for (const { resource } of world.resources()) for (const object of world.api.list(resource)) this.#note(resource, object);
  }

  readonly watches = { "*": (change: Change) => this.#keysOf(change) };

  #note(resource: string, { metadata }: KubeObject): void {
    if (metadata.uid === undefined || resource === "events") return;
    this.#places.set(metadata.uid, { resource, namespace: metadata.namespace ?? "", name: metadata.name });
  }

  #keysOf({ type, resource, object, previous }: Change): readonly string[] {
    if (resource === "events") return [];
    const { uid = "", ownerReferences, deletionTimestamp, finalizers } = object.metadata;
    if (type === "DELETED") {
      this.#places.delete(uid);
      const dependents = this.#world.api.ownedBy(uid).map((dependent) => idOf(dependent.resource, dependent.object));
      return [...dependents, ...this.#waitingOwners(object)];
    }
    if (type === "ADDED") this.#note(resource, object);
    const before = previous?.metadata;
    const ownersChanged = ownerReferences !== before?.ownerReferences && ownerReferences !== undefined && ownerReferences.length > 0;
    const isEnding =
      deletionTimestamp !== undefined && (finalizers ?? []).some((name) => name === orphanFinalizer || name === foregroundFinalizer);
    const hasNoOwner = ownersChanged && !ownerReferences.every((reference) => this.#standing(object, reference) === "solid");
    const freed = before?.ownerReferences !== ownerReferences ? this.#waitingOwners(previous) : [];
    return isEnding || hasNoOwner ? [idOf(resource, object), ...freed] : freed;
  }

  #standing(object: KubeObject, reference: NonNullable<KubeObject["metadata"]["ownerReferences"]>[number]): Standing {
    return standingOf(this.#world, object, reference, this.#places);
  }

  /** Owners of an object that can only go when their dependents are gone. */
  #waitingOwners(object: KubeObject | undefined): string[] {
    return (object?.metadata.ownerReferences ?? []).flatMap(({ uid }) => {
      const place = this.#places.get(uid);
      const owner = place && this.#world.api.read(place.resource, place.namespace, place.name);
      return owner !== undefined && isDeletingDependents(owner) ? [idOf(place!.resource, owner)] : [];
    });
  }

  reconcile(key: string): undefined {
    const { resource, namespace, name } = placeOf(key);
    const object = this.#world.api.read(resource, namespace, name);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp !== undefined && finalizers.includes(orphanFinalizer)) this.#orphanDependents(resource, object);
    else if (isDeletingDependents(object)) this.#deleteDependents(resource, object);
    else if (deletionTimestamp === undefined) this.#collect(resource, object);
  }

  #orphanDependents(resource: string, owner: KubeObject): void {
    for (const dependent of this.#world.api.ownedBy(owner.metadata.uid ?? "")) {
      this.#dropOwners(dependent.resource, dependent.object, (uid) => uid === owner.metadata.uid);
    }
    this.#dropFinalizer(resource, owner, orphanFinalizer);
  }

  /** Models processDeletingDependentsItem: the owner stays until what blocks it is gone. */
  #deleteDependents(resource: string, owner: KubeObject): void {
    const { uid = "" } = owner.metadata;
    const dependents = this.#world.api.ownedBy(uid);
    for (const dependent of dependents) {
      const { deletionTimestamp } = dependent.object.metadata;
      if (deletionTimestamp === undefined) this.#collect(dependent.resource, dependent.object);
    }
    const blocks = this.#world.api
      .ownedBy(uid)
      .some(({ object }) =>
        object.metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
      );
    if (!blocks) this.#dropFinalizer(resource, owner, foregroundFinalizer);
  }

  /** Models attemptToDeleteItem */
  #collect(resource: string, object: KubeObject): void {
    const references = object.metadata.ownerReferences ?? [];
    const standings = new Map(references.map((reference) => [reference.uid, this.#standing(object, reference)]));
    const has = (standing: Standing) => [...standings.values()].includes(standing);
    if (references.length === 0 || has("unknown")) return;
    if (has("solid")) {
      if (has("dangling") || has("waiting")) this.#dropOwners(resource, object, (uid) => standings.get(uid) !== "solid");
      return;
    }
    const { namespace = "", name, uid, finalizers = [] } = object.metadata;
    const hasDependents = this.#world.api.ownedBy(uid ?? "").length > 0;
    const propagation =
      (has("waiting") && hasDependents) || finalizers.includes(foregroundFinalizer)
        ? "foreground"
        : finalizers.includes(orphanFinalizer)
          ? "orphan"
          : "background";
    this.#world.api.delete(resource, namespace, name, { propagation, ...(uid === undefined ? {} : { uid }) });
  }

  #dropOwners(resource: string, object: KubeObject, drops: (uid: string) => boolean): void {
    const { ownerReferences = [], ...metadata } = object.metadata;
    const kept = ownerReferences.filter(({ uid }) => !drops(uid));
    if (kept.length === ownerReferences.length) return;
    this.#world.api.update(
      resource,
      { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } },
      writer,
    );
  }

  #dropFinalizer(resource: string, object: KubeObject, finalizer: string): void {
    const current = this.#world.api.read(resource, object.metadata.namespace ?? "", object.metadata.name);
    if (current === undefined) return;
    const { finalizers = [], ...metadata } = current.metadata;
    const kept = finalizers.filter((name) => name !== finalizer);
    this.#world.api.update(resource, { ...current, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }, writer);
  }
}

function idOf(resource: string, { metadata }: KubeObject): string {
  return `${resource} ${metadata.namespace ?? ""} ${metadata.name}`;
}

function placeOf(id: string): Place {
  const [resource = "", namespace = "", name = ""] = id.split(" ");
  return { resource, namespace, name };
}

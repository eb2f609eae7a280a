import type { KubeObject } from "../../../core/object/index.ts";
import type { StoreEvent } from "../../storage/index.ts";
import type { Controller, ControllerConstructor, EmbeddedControllerContext } from "../controller.ts";
import { isDeletingDependents, classifyReference, type ObjectCoordinates, type ReferenceClass } from "./classify-reference.ts";

const orphanFinalizer = "orphan";
const foregroundFinalizer = "foregroundDeletion";
const writer = "kube-controller-manager";

/** The garbage collector. */
export const garbageCollector: ControllerConstructor = (context) => new GarbageCollector(context);

/** Models pkg/controller/garbagecollector */
class GarbageCollector implements Controller {
  readonly name = "garbage-collector";
  readonly #context: EmbeddedControllerContext;
  /** The coordinates of each object, by uid. */
  readonly #coordinates = new Map<string, ObjectCoordinates>();

  constructor(context: EmbeddedControllerContext) {
    this.#context = context;
    for (const { resource } of context.resources()) for (const object of context.api.list(resource)) this.#observe(resource, object);
  }

  readonly watches = { "*": (change: StoreEvent) => this.#keysOf(change) };

  #observe(resource: string, { metadata }: KubeObject): void {
    if (metadata.uid === undefined || resource === "events") return;
    this.#coordinates.set(metadata.uid, { resource, namespace: metadata.namespace ?? "", name: metadata.name });
  }

  #keysOf({ type, resource, object, previous }: StoreEvent): readonly string[] {
    if (resource === "events") return [];
    const { uid = "", ownerReferences, deletionTimestamp, finalizers } = object.metadata;
    if (type === "DELETED") {
      this.#coordinates.delete(uid);
      const dependents = this.#context.api.ownedBy(uid).map((dependent) => idOf(dependent.resource, dependent.object));
      return [...dependents, ...this.#waitingOwners(object)];
    }
    if (type === "ADDED") this.#observe(resource, object);
    const before = previous?.metadata;
    const ownersChanged = ownerReferences !== before?.ownerReferences && ownerReferences !== undefined && ownerReferences.length > 0;
    const isEnding =
      deletionTimestamp !== undefined && (finalizers ?? []).some((name) => name === orphanFinalizer || name === foregroundFinalizer);
    const hasNoOwner = ownersChanged && !ownerReferences.every((reference) => this.#classify(object, reference) === "solid");
    const freed = before?.ownerReferences !== ownerReferences ? this.#waitingOwners(previous) : [];
    return isEnding || hasNoOwner ? [idOf(resource, object), ...freed] : freed;
  }

  #classify(object: KubeObject, reference: NonNullable<KubeObject["metadata"]["ownerReferences"]>[number]): ReferenceClass {
    return classifyReference(this.#context, object, reference, this.#coordinates);
  }

  /** Owners of an object that wait for the deletion of their dependents. */
  #waitingOwners(object: KubeObject | undefined): string[] {
    return (object?.metadata.ownerReferences ?? []).flatMap(({ uid }) => {
      const coordinates = this.#coordinates.get(uid);
      const owner = coordinates && this.#context.api.read(coordinates.resource, coordinates.namespace, coordinates.name);
      return owner !== undefined && isDeletingDependents(owner) ? [idOf(coordinates!.resource, owner)] : [];
    });
  }

  reconcile(key: string): undefined {
    const { resource, namespace, name } = coordinatesOf(key);
    const object = this.#context.api.read(resource, namespace, name);
    if (object === undefined) return;
    const { deletionTimestamp, finalizers = [] } = object.metadata;
    if (deletionTimestamp !== undefined && finalizers.includes(orphanFinalizer)) this.#orphanDependents(resource, object);
    else if (isDeletingDependents(object)) this.#deleteDependents(resource, object);
    else if (deletionTimestamp === undefined) this.#collect(resource, object);
  }

  #orphanDependents(resource: string, owner: KubeObject): void {
    for (const dependent of this.#context.api.ownedBy(owner.metadata.uid ?? "")) {
      this.#dropOwners(dependent.resource, dependent.object, (uid) => uid === owner.metadata.uid);
    }
    this.#dropFinalizer(resource, owner, orphanFinalizer);
  }

  /** Models processDeletingDependentsItem: the owner stays until its blocking dependents are deleted. */
  #deleteDependents(resource: string, owner: KubeObject): void {
    const { uid = "" } = owner.metadata;
    const dependents = this.#context.api.ownedBy(uid);
    for (const dependent of dependents) {
      const { deletionTimestamp } = dependent.object.metadata;
      if (deletionTimestamp === undefined) this.#collect(dependent.resource, dependent.object);
    }
    const blocks = this.#context.api
      .ownedBy(uid)
      .some(({ object }) =>
        object.metadata.ownerReferences?.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true),
      );
    if (!blocks) this.#dropFinalizer(resource, owner, foregroundFinalizer);
  }

  /** Models attemptToDeleteItem */
  #collect(resource: string, object: KubeObject): void {
    const references = object.metadata.ownerReferences ?? [];
    const classes = new Map(references.map((reference) => [reference.uid, this.#classify(object, reference)]));
    const has = (referenceClass: ReferenceClass) => [...classes.values()].includes(referenceClass);
    if (references.length === 0 || has("unknown")) return;
    if (has("solid")) {
      if (has("dangling") || has("waiting")) this.#dropOwners(resource, object, (uid) => classes.get(uid) !== "solid");
      return;
    }
    const { namespace = "", name, uid, finalizers = [] } = object.metadata;
    const hasDependents = this.#context.api.ownedBy(uid ?? "").length > 0;
    const propagation =
      (has("waiting") && hasDependents) || finalizers.includes(foregroundFinalizer)
        ? "foreground"
        : finalizers.includes(orphanFinalizer)
          ? "orphan"
          : "background";
    this.#context.api.delete(resource, namespace, name, { propagation, ...(uid === undefined ? {} : { uid }) });
  }

  #dropOwners(resource: string, object: KubeObject, drops: (uid: string) => boolean): void {
    const { ownerReferences = [], ...metadata } = object.metadata;
    const kept = ownerReferences.filter(({ uid }) => !drops(uid));
    if (kept.length === ownerReferences.length) return;
    this.#context.api.update(
      resource,
      { ...object, metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept } },
      writer,
    );
  }

  #dropFinalizer(resource: string, object: KubeObject, finalizer: string): void {
    const current = this.#context.api.read(resource, object.metadata.namespace ?? "", object.metadata.name);
    if (current === undefined) return;
    const { finalizers = [], ...metadata } = current.metadata;
    const kept = finalizers.filter((name) => name !== finalizer);
    this.#context.api.update(resource, { ...current, metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept } }, writer);
  }
}

function idOf(resource: string, { metadata }: KubeObject): string {
  return `${resource} ${metadata.namespace ?? ""} ${metadata.name}`;
}

function coordinatesOf(id: string): ObjectCoordinates {
  const [resource = "", namespace = "", name = ""] = id.split(" ");
  return { resource, namespace, name };
}

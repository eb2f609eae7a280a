import type { Cancel } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { keyIn, keyOf, SortedObjects } from "./sorted-objects.ts";
import { WatchCache } from "./watch-cache.ts";

/** One write. `object` is the written object, or for DELETED the last one, at the revision of its deletion. */
export type StoreEvent = {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** The group resource: `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly revision: number;
};

type StoreListener = (change: StoreEvent) => void;

/** Keeps a write beyond the process before it takes effect. What it throws refuses the write. */
type StorageJournal = (change: StoreEvent) => void;

/** An object as it is stored. */
export type StoredObject = { readonly resource: string; readonly object: KubeObject };

/** The objects of one resource, by namespace and name, with their recent events. */
type ResourceStorage = {
  readonly objects: Map<string, KubeObject>;
  readonly watchCache: WatchCache;
  /** From the first list on. */
  sorted?: SortedObjects;
};

type ListRange = {
  /** The key to begin at, `namespace/name` or a beginning of it. Default: the first one. */
  readonly from?: string;
};

type ObjectStorageOptions = {
  /** Default 1. */
  readonly revision?: number;
  /** How many events of one resource are kept at least. Default 5000. */
  readonly keptEvents?: number;
};

/**
 * Holds every object of the cluster under one growing revision, as etcd does.
 *
 * Objects are immutable: a write replaces one. Listeners are called during the write, in the order of revisions.
 */
export class ObjectStorage {
  #revision: number;
  readonly #keptEvents: number;
  readonly #byResource = new Map<string, ResourceStorage>();
  readonly #listeners = new Map<string, Set<StoreListener>>();
  readonly #owned = new Map<string, Map<string, StoredObject>>();
  /** Events up to this revision are compacted, whatever their resource. */
  #compacted: number;
  #journal: StorageJournal | undefined;

  constructor({ revision = 1, keptEvents = 5000 }: ObjectStorageOptions = {}) {
    this.#revision = revision;
    this.#compacted = revision;
    this.#keptEvents = keptEvents;
  }

  /** Every later write is kept by `journal` first. */
  attachJournal(journal: StorageJournal): void {
    this.#journal = journal;
  }

  get revision(): number {
    return this.#revision;
  }

  read(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.#byResource.get(resource)?.objects.get(keyIn(namespace, name));
  }

  /** Sorted by namespace, then name. */
  list(resource: string, namespace = "", { from = "" }: ListRange = {}): readonly KubeObject[] {
    const resourceStorage = this.#byResource.get(resource);
    return resourceStorage === undefined ? [] : sortedIn(resourceStorage).list(namespace, from);
  }

  /** The objects as they were at `revision`, or undefined when that is too old. */
  listAt(revision: number, resource: string, namespace = "", { from = "" }: ListRange = {}): readonly KubeObject[] | undefined {
    const resourceStorage = this.#byResource.get(resource);
    if (resourceStorage === undefined) return [];
    const later = resourceStorage.watchCache.history(revision);
    if (later === undefined) return undefined;
    const sorted = sortedIn(resourceStorage);
    return (later.length === 0 ? sorted : withoutEvents(sorted, later)).list(namespace, from);
  }

  /** Every event of a resource after `revision`, oldest first, or undefined when some of them are compacted. */
  eventsSince(revision: number, resource: string): readonly StoreEvent[] | undefined {
    const resourceStorage = this.#byResource.get(resource);
    if (resourceStorage !== undefined) return resourceStorage.watchCache.since(revision);
    return revision < this.#compacted ? undefined : [];
  }

  /** The oldest revision from which a watch of this resource can start. */
  oldestRevision(resource: string): number {
    return this.#byResource.get(resource)?.watchCache.oldest ?? this.#revision;
  }

  /** The objects with `uid` among their owner references, in the order in which they got it. */
  ownedBy(uid: string): readonly StoredObject[] {
    return [...(this.#owned.get(uid)?.values() ?? [])];
  }

  /** Writes an object, new or not, at the next revision, which becomes its resourceVersion. */
  put(resource: string, object: KubeObject): KubeObject {
    const revision = this.#revision + 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    const previous = this.#byResource.get(resource)?.objects.get(keyOf(stored));
    if (previous === undefined) this.#commit({ type: "ADDED", resource, object: stored, revision });
    else this.#commit({ type: "MODIFIED", resource, object: stored, previous, revision });
    return stored;
  }

  /** Removes an object; returns its last state, at the revision of its deletion. */
  remove(resource: string, namespace: string, name: string): KubeObject | undefined {
    const previous = this.read(resource, namespace, name);
    if (previous === undefined) return undefined;
    const revision = this.#revision + 1;
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.#commit({ type: "DELETED", resource, object, previous, revision });
    return object;
  }

  /** Puts an object of a snapshot back as it was. It has no event. */
  restore(resource: string, object: KubeObject): void {
    this.#set(this.#resourceStorage(resource), { type: "ADDED", resource, object, revision: this.#revision });
  }

  /** All objects, in the order in which their resources and they themselves came into being. */
  *all(): Generator<StoredObject> {
    for (const [resource, { objects }] of this.#byResource) for (const object of objects.values()) yield { resource, object };
  }

  /** Forgets the events up to `revision`: a watch or a list from an earlier one is too old. Models etcd's compaction. */
  compact(revision: number): void {
    this.#compacted = Math.max(this.#compacted, revision);
    for (const { watchCache } of this.#byResource.values()) watchCache.compact(revision);
  }

  /** Calls `listener` on each later event of a resource (`*`: of all). */
  subscribe(resource: string, listener: StoreListener): Cancel {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #resourceStorage(resource: string): ResourceStorage {
    let resourceStorage = this.#byResource.get(resource);
    if (resourceStorage === undefined) {
      resourceStorage = { objects: new Map(), watchCache: new WatchCache(this.#compacted, this.#keptEvents) };
      this.#byResource.set(resource, resourceStorage);
    }
    return resourceStorage;
  }

  #commit(change: StoreEvent): void {
    this.#journal?.(change);
    this.#revision = change.revision;
    const resourceStorage = this.#resourceStorage(change.resource);
    this.#set(resourceStorage, change);
    resourceStorage.watchCache.add(change);
    for (const listener of this.#listeners.get(change.resource) ?? []) listener(change);
    for (const listener of this.#listeners.get("*") ?? []) listener(change);
  }

  #set(resourceStorage: ResourceStorage, { type, resource, object, previous }: StoreEvent): void {
    const key = keyOf(object);
    if (type === "DELETED") {
      resourceStorage.objects.delete(key);
      resourceStorage.sorted?.delete(key);
    } else {
      resourceStorage.objects.set(key, object);
      resourceStorage.sorted?.set(object);
    }
    this.#index(resource, key, previous, type === "DELETED" ? undefined : object);
  }

  #index(resource: string, key: string, previous: KubeObject | undefined, next: KubeObject | undefined): void {
    const before = previous?.metadata.ownerReferences;
    const after = next?.metadata.ownerReferences;
    const id = `${resource}/${key}`;
    if (before !== after) {
      for (const { uid } of before ?? []) {
        const owned = this.#owned.get(uid);
        owned?.delete(id);
        if (owned?.size === 0) this.#owned.delete(uid);
      }
    }
    if (next === undefined) return;
    for (const { uid } of after ?? []) {
      const owned = this.#owned.get(uid) ?? new Map();
      this.#owned.set(uid, owned.set(id, { resource, object: next }));
    }
  }
}

function sortedIn(resourceStorage: ResourceStorage): SortedObjects {
  return (resourceStorage.sorted ??= SortedObjects.of(resourceStorage.objects));
}

/** The objects as they were before these events. */
function withoutEvents(sorted: SortedObjects, events: readonly StoreEvent[]): SortedObjects {
  const before = new Map<string, KubeObject | undefined>();
  for (const { object, previous } of events.toReversed()) before.set(keyOf(object), previous);
  const objects = sorted.copy();
  for (const [key, object] of before) {
    if (object === undefined) objects.delete(key);
    else objects.set(object);
  }
  return objects;
}

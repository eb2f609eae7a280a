import type { Cancel } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
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

/** The objects of one resource, by namespace and name, with their recent events. */
type ResourceStorage = {
  readonly objects: Map<string, KubeObject>;
  readonly watchCache: WatchCache;
  sorted: readonly string[] | undefined;
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
  readonly #owned = new Map<string, Map<string, { resource: string; object: KubeObject }>>();

  constructor({ revision = 1, keptEvents = 5000 }: ObjectStorageOptions = {}) {
    this.#revision = revision;
    this.#keptEvents = keptEvents;
  }

  get revision(): number {
    return this.#revision;
  }

  read(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.#byResource.get(resource)?.objects.get(keyIn(namespace, name));
  }

  /** Sorted by namespace, then name. */
  list(resource: string, namespace = ""): readonly KubeObject[] {
    const resourceStorage = this.#byResource.get(resource);
    if (resourceStorage === undefined) return [];
    resourceStorage.sorted ??= [...resourceStorage.objects.keys()].sort();
    const keys = namespace === "" ? resourceStorage.sorted : within(resourceStorage.sorted, `${namespace}/`);
    return keys.map((key) => resourceStorage.objects.get(key)!);
  }

  /** The objects as they were at `revision`, or undefined when that is too old. */
  listAt(revision: number, resource: string, namespace = ""): readonly KubeObject[] | undefined {
    const later = this.eventsSince(revision, resource);
    if (later === undefined) return undefined;
    const objects = new Map(this.list(resource, namespace).map((object) => [keyOf(object), object]));
    for (const { object, previous } of later.toReversed()) {
      if (namespace !== "" && object.metadata.namespace !== namespace) continue;
      if (previous === undefined) objects.delete(keyOf(object));
      else objects.set(keyOf(object), previous);
    }
    return [...objects.keys()].sort().map((key) => objects.get(key)!);
  }

  /** Every event of a resource after `revision`, oldest first, or undefined when some of them are compacted. */
  eventsSince(revision: number, resource: string): readonly StoreEvent[] | undefined {
    const resourceStorage = this.#byResource.get(resource);
    return resourceStorage === undefined ? [] : resourceStorage.watchCache.since(revision);
  }

  /** The oldest revision from which a watch of this resource can start. */
  oldestRevision(resource: string): number {
    return this.#byResource.get(resource)?.watchCache.oldest ?? this.#revision;
  }

  /** The objects with `uid` among their owner references, in the order in which they got it. */
  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[] {
    return [...(this.#owned.get(uid)?.values() ?? [])];
  }

  /** Writes an object, new or not, at the next revision, which becomes its resourceVersion. */
  put(resource: string, object: KubeObject): KubeObject {
    const revision = ++this.#revision;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    const resourceStorage = this.#resourceStorage(resource);
    const key = keyOf(stored);
    const previous = resourceStorage.objects.get(key);
    if (previous === undefined) resourceStorage.sorted = undefined;
    resourceStorage.objects.set(key, stored);
    this.#index(resource, key, previous, stored);
    if (previous === undefined) this.#notify(resourceStorage, { type: "ADDED", resource, object: stored, revision });
    else this.#notify(resourceStorage, { type: "MODIFIED", resource, object: stored, previous, revision });
    return stored;
  }

  /** Removes an object; returns its last state, at the revision of its deletion. */
  remove(resource: string, namespace: string, name: string): KubeObject | undefined {
    const resourceStorage = this.#byResource.get(resource);
    const key = keyIn(namespace, name);
    const previous = resourceStorage?.objects.get(key);
    if (resourceStorage === undefined || previous === undefined) return undefined;
    const revision = ++this.#revision;
    resourceStorage.objects.delete(key);
    resourceStorage.sorted = undefined;
    this.#index(resource, key, previous, undefined);
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.#notify(resourceStorage, { type: "DELETED", resource, object, previous, revision });
    return object;
  }

  /** Removes a resource, its objects and its events, after its CRD was deleted. */
  removeResource(resource: string): void {
    this.#byResource.delete(resource);
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
      resourceStorage = { objects: new Map(), watchCache: new WatchCache(this.#revision - 1, this.#keptEvents), sorted: undefined };
      this.#byResource.set(resource, resourceStorage);
    }
    return resourceStorage;
  }

  #notify(resourceStorage: ResourceStorage, change: StoreEvent): void {
    resourceStorage.watchCache.add(change);
    for (const listener of this.#listeners.get(change.resource) ?? []) listener(change);
    for (const listener of this.#listeners.get("*") ?? []) listener(change);
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

function keyIn(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function keyOf({ metadata }: KubeObject): string {
  return keyIn(metadata.namespace ?? "", metadata.name);
}

/** The range of sorted keys with a prefix. */
function within(sorted: readonly string[], prefix: string): readonly string[] {
  const from = lowerBound(sorted, prefix);
  let to = from;
  while (to < sorted.length && sorted[to]!.startsWith(prefix)) to++;
  return sorted.slice(from, to);
}

function lowerBound(sorted: readonly string[], key: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

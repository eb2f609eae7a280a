import type { Cancel } from "../../core/clock/index.ts";
import type { KubeObject } from "../../core/object/index.ts";
import { History } from "./history.ts";

/** One write. `object` is what is there now, or for DELETED what was there last, at the revision of its end. */
export type Change = {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  /** Group and plural as Kubernetes joins them: `pods`, `deployments.apps`. */
  readonly resource: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
  readonly revision: number;
};

export type Listener = (change: Change) => void;

/** The objects of one resource, by namespace and name, with their past. */
type Shelf = { readonly objects: Map<string, KubeObject>; readonly history: History; sorted: readonly string[] | undefined };

/**
 * Holds every object of the cluster under one growing revision, as etcd does.
 *
 * Objects are immutable: a write replaces one. Listeners hear of a change in the same turn, in the order of revisions.
 */
export class Store {
  #revision: number;
  readonly #shelves = new Map<string, Shelf>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #owned = new Map<string, Map<string, { resource: string; object: KubeObject }>>();

  constructor({ revision = 1 }: { revision?: number } = {}) {
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  read(resource: string, namespace: string, name: string): KubeObject | undefined {
    return this.#shelves.get(resource)?.objects.get(keyIn(namespace, name));
  }

  /** Sorted by namespace, then name. */
  list(resource: string, namespace = ""): readonly KubeObject[] {
    const shelf = this.#shelves.get(resource);
    if (shelf === undefined) return [];
    shelf.sorted ??= [...shelf.objects.keys()].sort();
    const keys = namespace === "" ? shelf.sorted : within(shelf.sorted, `${namespace}/`);
    return keys.map((key) => shelf.objects.get(key)!);
  }

  /** The objects as they were right after `revision`, or undefined when that is too long ago. */
  listAt(revision: number, resource: string, namespace = ""): readonly KubeObject[] | undefined {
    const later = this.changesSince(revision, resource);
    if (later === undefined) return undefined;
    const objects = new Map(this.list(resource, namespace).map((object) => [keyOf(object), object]));
    for (const { object, previous } of later.toReversed()) {
      if (namespace !== "" && object.metadata.namespace !== namespace) continue;
      if (previous === undefined) objects.delete(keyOf(object));
      else objects.set(keyOf(object), previous);
    }
    return [...objects.keys()].sort().map((key) => objects.get(key)!);
  }

  /** Every change of a resource after `revision`, oldest first, or undefined when some of them are forgotten. */
  changesSince(revision: number, resource: string): readonly Change[] | undefined {
    const shelf = this.#shelves.get(resource);
    return shelf === undefined ? [] : shelf.history.since(revision);
  }

  /** The oldest revision whose changes a watch of this resource can still be told. */
  oldestRevision(resource: string): number {
    return this.#shelves.get(resource)?.history.oldest ?? this.#revision;
  }

  /** The objects that name `uid` as an owner, in the order in which they came to do so. */
  ownedBy(uid: string): readonly { readonly resource: string; readonly object: KubeObject }[] {
    return [...(this.#owned.get(uid)?.values() ?? [])];
  }

  /** Writes an object, new or not, at the next revision, which becomes its resourceVersion. */
  put(resource: string, object: KubeObject): KubeObject {
    const revision = ++this.#revision;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    const shelf = this.#shelf(resource);
    const key = keyOf(stored);
    const previous = shelf.objects.get(key);
    if (previous === undefined) shelf.sorted = undefined;
    shelf.objects.set(key, stored);
    this.#index(resource, key, previous, stored);
    if (previous === undefined) this.#tell(shelf, { type: "ADDED", resource, object: stored, revision });
    else this.#tell(shelf, { type: "MODIFIED", resource, object: stored, previous, revision });
    return stored;
  }

  /** Takes an object away for good; the answer is its last state, at the revision of its end. */
  remove(resource: string, namespace: string, name: string): KubeObject | undefined {
    const shelf = this.#shelves.get(resource);
    const key = keyIn(namespace, name);
    const previous = shelf?.objects.get(key);
    if (shelf === undefined || previous === undefined) return undefined;
    const revision = ++this.#revision;
    shelf.objects.delete(key);
    shelf.sorted = undefined;
    this.#index(resource, key, previous, undefined);
    const object = { ...previous, metadata: { ...previous.metadata, resourceVersion: String(revision) } };
    this.#tell(shelf, { type: "DELETED", resource, object, previous, revision });
    return object;
  }

  /** Forgets a resource, its objects and its past: its definition is gone. */
  forget(resource: string): void {
    this.#shelves.delete(resource);
  }

  /** Calls `listener` on each later change of a resource (`*`: of all). */
  subscribe(resource: string, listener: Listener): Cancel {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  #shelf(resource: string): Shelf {
    let shelf = this.#shelves.get(resource);
    if (shelf === undefined) {
      shelf = { objects: new Map(), history: new History(this.#revision - 1), sorted: undefined };
      this.#shelves.set(resource, shelf);
    }
    return shelf;
  }

  #tell(shelf: Shelf, change: Change): void {
    shelf.history.add(change);
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

/** The run of sorted keys that begin with `prefix`. */
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

import { equal, type KubeObject } from "../core/object/index.ts";

/** A change of one object. `previous` and a deleted `object` are the last known states. */
export type ObjectChange =
  | { readonly type: "added"; readonly object: KubeObject }
  | { readonly type: "modified"; readonly object: KubeObject; readonly previous: KubeObject }
  | { readonly type: "deleted"; readonly object: KubeObject };

/** A read-only view of a store. */
export type Lister = {
  readonly size: number;
  find(namespace: string, name: string): KubeObject | undefined;
  all(): Iterable<KubeObject>;
};

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function keyFor({ metadata }: KubeObject): string {
  return keyOf(metadata.namespace ?? "", metadata.name);
}

/**
 * The cached objects of a kind. Every update returns the changes it makes. The uid identifies an object and the
 * resourceVersion its state: an object that was deleted and created again yields both changes.
 */
export class ObjectStore implements Lister {
  readonly #objects = new Map<string, KubeObject>();
  /** Is applied to each object before it is stored. Lists apply it by themselves, page by page. */
  readonly transform: (object: KubeObject) => KubeObject;

  /** Default: objects are stored as they are. */
  constructor(transform: (object: KubeObject) => KubeObject = (object) => object) {
    this.transform = transform;
  }

  get size(): number {
    return this.#objects.size;
  }

  find(namespace: string, name: string): KubeObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  all(): Iterable<KubeObject> {
    return this.#objects.values();
  }

  /** Adds or updates an object. */
  put(object: KubeObject): readonly ObjectChange[] {
    return this.#put(this.transform(object), isSameVersion);
  }

  #put(object: KubeObject, isSame: (previous: KubeObject, object: KubeObject) => boolean): readonly ObjectChange[] {
    const key = keyFor(object);
    const previous = this.#objects.get(key);
    if (previous !== undefined && isSame(previous, object)) return [];
    this.#objects.set(key, object);
    if (previous === undefined) return [{ type: "added", object }];
    if (previous.metadata.uid === object.metadata.uid) return [{ type: "modified", object, previous }];
    return [
      { type: "deleted", object: previous },
      { type: "added", object },
    ];
  }

  /** Removes an object, whose last state is `object`, before it is transformed. Another one with the same name stays. */
  drop(object: KubeObject): readonly ObjectChange[] {
    const known = this.#objects.get(keyFor(object));
    if (known === undefined || known.metadata.uid !== object.metadata.uid) return [];
    this.#objects.delete(keyFor(object));
    return [{ type: "deleted", object: this.transform(object) }];
  }

  /** Adds or updates transformed objects of a list that goes on. */
  putListed(objects: readonly KubeObject[]): readonly ObjectChange[] {
    return objects.flatMap((object) => this.#put(object, isSameState));
  }

  /**
   * Replaces the whole content by that of a list, whose objects are transformed. Deletions come first, because names can be
   * reused. The list may come from a server with another history, where the same resourceVersion has other content, so content is
   * compared too.
   */
  replace(objects: readonly KubeObject[]): readonly ObjectChange[] {
    const present = new Set(objects.map(keyFor));
    const deleted: ObjectChange[] = [];
    for (const [key, object] of this.#objects) {
      if (present.has(key)) continue;
      this.#objects.delete(key);
      deleted.push({ type: "deleted", object });
    }
    return [...deleted, ...this.putListed(objects)];
  }
}

function isSameVersion({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}

function isSameState(previous: KubeObject, object: KubeObject): boolean {
  return previous === object || (isSameVersion(previous, object) && equal(previous, object));
}

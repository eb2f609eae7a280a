import { equal, type KubeObject } from "../core/object/index.ts";

/** What happened to one object. `previous` and a deleted `object` are as they were last seen. */
export type ObjectChange =
  | { readonly type: "added"; readonly object: KubeObject }
  | { readonly type: "modified"; readonly object: KubeObject; readonly previous: KubeObject }
  | { readonly type: "deleted"; readonly object: KubeObject };

/** What can be asked of a store by those who do not fill it. */
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
 * The objects of a kind as far as they are known, and what each piece of news changes in it. An object is the same one
 * by its uid, and unchanged by its resourceVersion: one that was deleted and made again is told as both.
 */
export class ObjectStore implements Lister {
  readonly #objects = new Map<string, KubeObject>();
  readonly #keep: (object: KubeObject) => KubeObject;

  /** `keep` makes of an object what is kept of it. Default: all. */
  constructor(keep: (object: KubeObject) => KubeObject = (object) => object) {
    this.#keep = keep;
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

  /** An object is there, in this state. */
  put(object: KubeObject): readonly ObjectChange[] {
    return this.#put(this.#keep(object), isSameVersion);
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

  /** An object is gone; `object` is its last state. Nothing happens to another one of the same name. */
  drop(object: KubeObject): readonly ObjectChange[] {
    const known = this.#objects.get(keyFor(object));
    if (known === undefined || known.metadata.uid !== object.metadata.uid) return [];
    this.#objects.delete(keyFor(object));
    return [{ type: "deleted", object }];
  }

  /**
   * These are all there are. Deletions come first: a name may be taken again. A list may come from a server with another
   * past, where the same version can say something else, so here the content counts as well.
   */
  replace(objects: readonly KubeObject[]): readonly ObjectChange[] {
    const present = new Set(objects.map(keyFor));
    const deleted: ObjectChange[] = [];
    for (const [key, object] of this.#objects) {
      if (present.has(key)) continue;
      this.#objects.delete(key);
      deleted.push({ type: "deleted", object });
    }
    return [...deleted, ...objects.flatMap((object) => this.#put(this.#keep(object), isSameState))];
  }
}

function isSameVersion({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}

function isSameState(previous: KubeObject, object: KubeObject): boolean {
  return isSameVersion(previous, object) && equal(previous, object);
}

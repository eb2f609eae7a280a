import type { KubeObject } from "../core/object/index.ts";
import type { InformerEvent } from "./reflector.ts";

/** The index keys of an object. */
export type IndexFunc = (object: KubeObject) => Iterable<string>;

/** A read-only index. */
export type Index = { at(key: string): Iterable<KubeObject> };

/** Indexes objects by keys computed from their content. */
export class ObjectIndex implements Index {
  readonly #keysOf: IndexFunc;
  /** The current keys of each object, by namespace and name. */
  readonly #keys = new Map<string, readonly string[]>();
  readonly #objects = new Map<string, Map<string, KubeObject>>();

  constructor(keysOf: IndexFunc) {
    this.#keysOf = keysOf;
  }

  at(key: string): Iterable<KubeObject> {
    return this.#objects.get(key)?.values() ?? [];
  }

  update(change: InformerEvent): void {
    if (change.type === "synced" || change.type === "interrupted") return;
    const { namespace = "", name } = change.object.metadata;
    const id = `${namespace}/${name}`;
    this.#remove(id);
    if (change.type !== "deleted") this.#put(id, change.object);
  }

  #put(id: string, object: KubeObject): void {
    const keys = [...this.#keysOf(object)];
    if (keys.length > 0) this.#keys.set(id, keys);
    for (const key of keys) {
      let found = this.#objects.get(key);
      if (found === undefined) this.#objects.set(key, (found = new Map()));
      found.set(id, object);
    }
  }

  #remove(id: string): void {
    for (const key of this.#keys.get(id) ?? []) {
      const found = this.#objects.get(key);
      found?.delete(id);
      if (found?.size === 0) this.#objects.delete(key);
    }
    this.#keys.delete(id);
  }
}

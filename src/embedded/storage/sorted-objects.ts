import type { KubeObject } from "../../core/object/index.ts";

/** The place of an object among those of its resource. */
export function keyIn(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

export function keyOf({ metadata }: KubeObject): string {
  return keyIn(metadata.namespace ?? "", metadata.name);
}

/** The objects of a resource, sorted by their keys, and kept so write by write. */
export class SortedObjects {
  readonly #objects: KubeObject[];

  private constructor(sorted: KubeObject[]) {
    this.#objects = sorted;
  }

  static of(objects: ReadonlyMap<string, KubeObject>): SortedObjects {
    return new SortedObjects([...objects.keys()].sort().map((key) => objects.get(key)!));
  }

  /** Another one that may change by itself. */
  copy(): SortedObjects {
    return new SortedObjects([...this.#objects]);
  }

  set(object: KubeObject): void {
    const key = keyOf(object);
    const at = this.#firstFrom(key);
    this.#objects.splice(at, this.#isAt(at, key) ? 1 : 0, object);
  }

  delete(key: string): void {
    const at = this.#firstFrom(key);
    if (this.#isAt(at, key)) this.#objects.splice(at, 1);
  }

  /** The objects of a namespace, or of all, whose keys are `from` or come after it. */
  list(namespace: string, from: string): readonly KubeObject[] {
    const first = keyIn(namespace, "");
    const start = namespace === "" || from > first ? from : first;
    // The character after the slash comes after every key of the namespace.
    const end = namespace === "" ? this.#objects.length : this.#firstFrom(`${namespace}0`);
    return this.#objects.slice(start === "" ? 0 : this.#firstFrom(start), end);
  }

  #isAt(at: number, key: string): boolean {
    const found = this.#objects[at];
    return found !== undefined && keyOf(found) === key;
  }

  /** Where the first object is whose key is not before `key`. */
  #firstFrom(key: string): number {
    let low = 0;
    let high = this.#objects.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keyOf(this.#objects[middle]!) < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

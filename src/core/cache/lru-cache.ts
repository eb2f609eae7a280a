export type LruCacheOptions<Key, Value> = {
  /** The maximum number of entries. Default: unlimited. */
  readonly maxEntries?: number;
  /** The maximum weight of all entries together. Default: unlimited. */
  readonly maxWeight?: number;
  /** The weight of an entry, read when it is set. Default: 1. */
  readonly weightOf?: (key: Key, value: Value) => number;
  /** Called with each entry that is evicted, and not with deleted ones. */
  readonly onEvict?: (key: Key, value: Value) => void;
};

type Entry<Key, Value> = {
  readonly key: Key;
  value: Value;
  weight: number;
  newer: Entry<Key, Value> | undefined;
  older: Entry<Key, Value> | undefined;
};

/**
 * A map with a bound on the number or the weight of its entries. `get` and `set` make an entry the most recently used one,
 * and the least recently used ones are evicted. An entry that is heavier than the bound stays until the next one is set.
 *
 * The order is a linked list, because deleting and setting again in a `Map` on every `get` costs several times as much.
 */
export class LruCache<Key, Value> {
  readonly #maxEntries: number;
  readonly #maxWeight: number;
  readonly #weightOf: (key: Key, value: Value) => number;
  readonly #onEvict: ((key: Key, value: Value) => void) | undefined;
  readonly #entries = new Map<Key, Entry<Key, Value>>();
  #newest: Entry<Key, Value> | undefined;
  #oldest: Entry<Key, Value> | undefined;
  #weight = 0;

  constructor({ maxEntries = Infinity, maxWeight = Infinity, weightOf = () => 1, onEvict }: LruCacheOptions<Key, Value>) {
    this.#maxEntries = maxEntries;
    this.#maxWeight = maxWeight;
    this.#weightOf = weightOf;
    this.#onEvict = onEvict;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#touch(entry);
    return entry.value;
  }

  set(key: Key, value: Value): void {
    const known = this.#entries.get(key);
    const weight = this.#weightOf(key, value);
    if (known === undefined) {
      const entry: Entry<Key, Value> = { key, value, weight, newer: undefined, older: undefined };
      this.#entries.set(key, entry);
      this.#append(entry);
    } else {
      this.#weight -= known.weight;
      known.value = value;
      known.weight = weight;
      this.#touch(known);
    }
    this.#weight += weight;
    this.#trim();
  }

  /** The value of a key, which `create` creates if necessary. What it throws is not cached. */
  getOrCreate(key: Key, create: (key: Key) => Value): Value {
    const entry = this.#entries.get(key);
    if (entry !== undefined) {
      this.#touch(entry);
      return entry.value;
    }
    const value = create(key);
    this.set(key, value);
    return value;
  }

  delete(key: Key): boolean {
    const entry = this.#entries.get(key);
    if (entry === undefined) return false;
    this.#remove(entry);
    return true;
  }

  /** Deletes all entries. */
  clear(): void {
    this.#entries.clear();
    this.#newest = undefined;
    this.#oldest = undefined;
    this.#weight = 0;
  }

  /** All values, the least recently used one first. Reading them does not change the order. */
  *values(): Generator<Value> {
    for (let entry = this.#oldest; entry !== undefined; entry = entry.newer) yield entry.value;
  }

  #trim(): void {
    while (this.#entries.size > 1 && (this.#entries.size > this.#maxEntries || this.#weight > this.#maxWeight)) {
      const entry = this.#oldest!;
      this.#remove(entry);
      this.#onEvict?.(entry.key, entry.value);
    }
  }

  #touch(entry: Entry<Key, Value>): void {
    if (entry === this.#newest) return;
    this.#unlink(entry);
    this.#append(entry);
  }

  #append(entry: Entry<Key, Value>): void {
    entry.newer = undefined;
    entry.older = this.#newest;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink({ newer, older }: Entry<Key, Value>): void {
    if (newer === undefined) this.#newest = older;
    else newer.older = older;
    if (older === undefined) this.#oldest = newer;
    else older.newer = newer;
  }

  #remove(entry: Entry<Key, Value>): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
    this.#weight -= entry.weight;
  }
}

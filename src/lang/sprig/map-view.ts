import { GoMap, types, type GoValue } from "../template/index.ts";

/**
 * A view of a map with a named type as a `map[string]interface {}`. Go shares the memory when it converts between them, so writes
 * go through.
 */
class MapView extends GoMap {
  readonly #source: GoMap;

  constructor(source: GoMap) {
    super(types.anyMap, [], { isNil: source.isNil });
    this.#source = source;
  }

  override get size(): number {
    return this.#source.size;
  }

  override get(key: string): GoValue {
    return this.#source.get(key);
  }

  override has(key: string): boolean {
    return this.#source.has(key);
  }

  override set(key: string, element: GoValue): this {
    this.#source.set(key, element);
    return this;
  }

  override delete(key: string): boolean {
    return this.#source.delete(key);
  }

  override at(key: GoValue): GoValue {
    return this.#source.at(key);
  }

  override put(key: GoValue, element: GoValue): this {
    this.#source.put(key, element);
    return this;
  }

  override keys(): IterableIterator<string> {
    return this.#source.keys();
  }

  override values(): IterableIterator<GoValue> {
    return this.#source.values();
  }

  override entries(): IterableIterator<[string, GoValue]> {
    return this.#source.entries();
  }

  override [Symbol.iterator](): IterableIterator<[string, GoValue]> {
    return this.#source.entries();
  }

  override sortedKeys(): readonly string[] {
    return this.#source.sortedKeys();
  }

  override sortedEntries(): IterableIterator<[GoValue, GoValue]> {
    return this.#source.sortedEntries();
  }
}

/** The map as a `map[string]interface {}`: itself, or a view of it. */
export function asPlainMap(map: GoMap): GoMap {
  return map.type === types.anyMap ? map : new MapView(map);
}

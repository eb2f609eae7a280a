import { GoMap, types, type Value } from "../template/index.ts";

/**
 * A map of a named type as a `map[string]interface {}`: Go shares the memory when it converts one into the other, and so what
 * is written here is written there.
 */
class MapView extends GoMap {
  private readonly source: GoMap;

  constructor(source: GoMap) {
    super(types.anyMap, [], { isNil: source.isNil });
    this.source = source;
  }

  override get size(): number {
    return this.source.size;
  }

  override get(key: string): Value {
    return this.source.get(key);
  }

  override has(key: string): boolean {
    return this.source.has(key);
  }

  override set(key: string, element: Value): this {
    this.source.set(key, element);
    return this;
  }

  override delete(key: string): boolean {
    return this.source.delete(key);
  }

  override at(key: Value): Value {
    return this.source.at(key);
  }

  override put(key: Value, element: Value): this {
    this.source.put(key, element);
    return this;
  }

  override keys(): IterableIterator<string> {
    return this.source.keys();
  }

  override values(): IterableIterator<Value> {
    return this.source.values();
  }

  override entries(): IterableIterator<[string, Value]> {
    return this.source.entries();
  }

  override [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.source.entries();
  }

  override sortedKeys(): readonly string[] {
    return this.source.sortedKeys();
  }

  override sortedEntries(): IterableIterator<[Value, Value]> {
    return this.source.sortedEntries();
  }
}

/** The map itself where it is a `map[string]interface {}`, and otherwise the same map seen as one. */
export function asPlainMap(map: GoMap): GoMap {
  return map.type === types.anyMap ? map : new MapView(map);
}

import { charge } from "../../../core/cost/index.ts";
import { GoError } from "./error.ts";
import { Complex, Integer, GoScalar } from "./number.ts";
import { compareGoStrings } from "./text.ts";
import { types } from "./parse-type.ts";
import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

/** A key that is sorted. */
const costOfKey = 32;

/** The storage of a map, shared by its views of other types. */
class Elements extends Map<string, GoValue> {
  /** The keys that are not strings, by their identity. */
  readonly named: Map<string, GoValue> | undefined;
  sorted: readonly string[] | undefined;

  constructor(hasNames: boolean) {
    super();
    this.named = hasNames ? new Map() : undefined;
  }
}

/**
 * A Go map: mutable and shared by reference. String keys are JavaScript strings; `at` and `put` take keys of any type. No key is
 * special: `__proto__` is data.
 *
 * Elements are not checked: the caller writes strings to a `map[string]string`.
 */
export class GoMap {
  readonly type: ReflectType;
  /** A nil map reads as empty and rejects writes. */
  readonly isNil: boolean;
  /** String keys and no methods, so a field can only be an element. */
  readonly isPlain: boolean;
  #elements: Elements;

  constructor(type: ReflectType = types.anyMap, entries?: Iterable<readonly [string, GoValue]>, options?: { readonly isNil?: boolean }) {
    this.type = type;
    this.isNil = options?.isNil ?? false;
    this.isPlain = type.key === types.string && type.methods.size === 0;
    this.#elements = new Elements(type.key?.kind !== "string");
    if (entries !== undefined) for (const [key, element] of entries) this.put(key, element);
  }

  /** The same map as another type. They share their elements. */
  as(type: ReflectType): GoMap {
    if (type === this.type) return this;
    const same = new GoMap(type, [], { isNil: this.isNil });
    same.#elements = this.#elements;
    return same;
  }

  get size(): number {
    return this.#elements.size;
  }

  /** The element of a string key; undefined when there is none. A nil element is null. */
  get(key: string): GoValue {
    return this.#elements.get(key);
  }

  has(key: string): boolean {
    return this.#elements.has(key);
  }

  /** Sets the element of a string key. */
  set(key: string, element: GoValue): this {
    const elements = this.#elements;
    if (this.isNil || elements.named !== undefined) return this.put(key, element);
    if (elements.sorted !== undefined && !elements.has(key)) elements.sorted = undefined;
    elements.set(key, element === undefined ? null : element);
    return this;
  }

  delete(key: string): boolean {
    this.#elements.sorted = undefined;
    this.#elements.named?.delete(key);
    return this.#elements.delete(key);
  }

  /** The element of a key of any type. */
  at(key: GoValue): GoValue {
    return this.#elements.get(this.#identify(key));
  }

  /** Sets the element of a key of any type. */
  put(key: GoValue, element: GoValue): this {
    if (this.isNil) throw new GoError("assignment to entry in nil map");
    const elements = this.#elements;
    const identity = this.#identify(key);
    if (!elements.has(identity)) elements.sorted = undefined;
    elements.named?.set(identity, key);
    elements.set(identity, element === undefined ? null : element);
    return this;
  }

  /** String keys in insertion order. */
  keys(): IterableIterator<string> {
    return this.#elements.keys();
  }

  /** Elements in insertion order. */
  values(): IterableIterator<GoValue> {
    return this.#elements.values();
  }

  /** String keys with their elements, in insertion order. */
  entries(): IterableIterator<[string, GoValue]> {
    return this.#elements.entries();
  }

  [Symbol.iterator](): IterableIterator<[string, GoValue]> {
    return this.#elements.entries();
  }

  /** The keys in the order of Go's range and fmt: strings by their bytes. Cached until the keys change. */
  sortedKeys(): readonly string[] {
    const elements = this.#elements;
    if (elements.sorted === undefined) {
      charge(costOfKey * this.size);
      elements.sorted = elements.named === undefined ? [...elements.keys()].sort(compareGoStrings) : this.#sortedByKey(elements.named);
    }
    return elements.sorted;
  }

  /** Keys and elements in sorted order. Keys have the key type. */
  *sortedEntries(): IterableIterator<[GoValue, GoValue]> {
    const { named } = this.#elements;
    for (const key of this.sortedKeys()) yield [named === undefined ? key : named.get(key), this.#elements.get(key)];
  }

  #sortedByKey(named: ReadonlyMap<string, GoValue>): string[] {
    return [...named].sort(([, one], [, other]) => compareKeys(one, other)).map(([identity]) => identity);
  }

  #identify(key: GoValue): string {
    if (typeof key === "string") return key;
    if (key instanceof GoScalar && typeof key.value === "string")
      return this.#elements.named === undefined ? key.value : `${key.type.name} ${key.value}`;
    if (key instanceof Integer) return `\0${key.type.name} ${key.value}`;
    if (typeof key === "number" || typeof key === "boolean" || key === null) return `\0${typeof key} ${key}`;
    if (key instanceof Complex) return `\0complex ${key.real} ${key.imaginary}`;
    return `\0${identityOf(key)}`;
  }
}

const identities = new WeakMap<object, number>();
let issued = 0;

function identityOf(key: GoValue): string {
  if (typeof key !== "object" || key === null) return String(key);
  const known = identities.get(key) ?? ++issued;
  identities.set(key, known);
  return `object ${known}`;
}

/** Compares keys as Go's internal/fmtsort does: nil first, then by kind. */
function compareKeys(one: GoValue, other: GoValue): number {
  if (one instanceof Integer && other instanceof Integer) return one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
  if (typeof one === "string" && typeof other === "string") return compareGoStrings(one, other);
  if (typeof one === "number" && typeof other === "number") return one < other || Number.isNaN(one) ? -1 : one > other ? 1 : 0;
  if (typeof one === "boolean" && typeof other === "boolean") return Number(one) - Number(other);
  return rank(one) - rank(other);
}

function rank(key: GoValue): number {
  if (key === null || key === undefined) return 0;
  const order = ["boolean", "object", "number", "string"];
  return 1 + order.indexOf(typeof key);
}

/** A `map[string]interface {}` of the own properties of an object. */
export function dict(entries: Readonly<Record<string, GoValue>> = {}): GoMap {
  return new GoMap(types.anyMap, Object.entries(entries));
}

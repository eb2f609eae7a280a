import { integerOf, isExactInteger, isFields, setField, type MutableFields } from "../../../core/object/index.ts";
import type { ResolvedScalar } from "./resolve-scalar.ts";

/**
 * What a parser builds. Scalars are strings, booleans, null and JavaScript numbers; the target builds everything else, so the
 * result need not be converted.
 */
export type DecodeTarget = {
  readonly newMap: () => unknown;
  readonly set: (map: unknown, key: string, value: unknown) => void;
  readonly has: (map: unknown, key: string) => boolean;
  readonly isMap: (value: unknown) => boolean;
  readonly entries: (map: unknown) => Iterable<readonly [string, unknown]>;
  /** Creates a list. It may keep `items`. */
  readonly newList: (items: unknown[]) => unknown;
  readonly isList: (value: unknown) => boolean;
  readonly itemsOf: (list: unknown) => readonly unknown[];
  /** Converts a 64-bit integer that a number may not hold. */
  readonly bigInteger: (value: bigint) => unknown;
  /** The value of an alias. A mutable target returns a copy. */
  readonly aliased: (value: unknown) => unknown;
  /** Converts a scalar that is not a string. */
  readonly scalar?: (resolved: ResolvedScalar) => unknown;
  /** Converts a key other than JSON does. */
  readonly key?: (resolved: ResolvedScalar) => string;
};

/** Plain JSON values. They are immutable, so aliases share them. */
export const jsonTarget: DecodeTarget = {
  newMap: () => ({}),
  set: (map, key, value) => setField(map as MutableFields, key, value),
  has: (map, key) => Object.hasOwn(map as MutableFields, key),
  isMap: (value) => isFields(value) && !isExactInteger(value),
  entries: (map) => Object.entries(map as MutableFields),
  newList: (items) => items,
  isList: Array.isArray,
  itemsOf: (list) => list as readonly unknown[],
  bigInteger: integerOf,
  aliased: (value) => value,
};

/** Maps in document order and arrays, with every number a float, as Helm reads values. Aliases are copied. */
export const mapTarget: DecodeTarget = {
  newMap: () => new Map<string, unknown>(),
  set: (map, key, value) => (map as Map<string, unknown>).set(key, value),
  has: (map, key) => (map as Map<string, unknown>).has(key),
  isMap: (value) => value instanceof Map,
  entries: (map) => map as Map<string, unknown>,
  newList: (items) => items,
  isList: Array.isArray,
  itemsOf: (list) => list as readonly unknown[],
  bigInteger: Number,
  aliased: copied,
};

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (value instanceof Map) return new Map([...(value as Map<string, unknown>)].map(([key, item]) => [key, copied(item)]));
  return value;
}

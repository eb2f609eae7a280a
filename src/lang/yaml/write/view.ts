import { isExactInteger, isFields, type Fields } from "../../../core/object/index.ts";

/** How the writer looks into values that it does not know. Strings, numbers, bigints, booleans and null need no view. */
export type YamlView = {
  /** The items, if the value is a list. */
  readonly itemsOf: (value: object) => readonly unknown[] | undefined;
  /** The keys in any order, if the value is a map. */
  readonly keysOf: (value: object) => readonly string[] | undefined;
  readonly valueAt: (map: object, key: string) => unknown;
  /** What a value stands for that is neither a list nor a map. */
  readonly plainOf: (value: object) => unknown;
};

/** Plain JSON values, in which undefined does not count, and exact integers. */
export const jsonView: YamlView = {
  itemsOf: (value) => (Array.isArray(value) ? value : undefined),
  keysOf: (value) => (isExactInteger(value) || !isFields(value) ? undefined : Object.keys(value).filter((key) => value[key] !== undefined)),
  valueAt: (map, key) => (map as Fields)[key],
  plainOf: (value) => (isExactInteger(value) ? BigInt(value.rawJSON) : null),
};

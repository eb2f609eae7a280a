import { isExactInteger, isFields, type Fields } from "../../../core/object/index.ts";

/** How the emitter reads values that are not plain. Strings, numbers, bigints, booleans and null need no view. */
export type YamlView = {
  /** The items of a list; undefined for other values. */
  readonly itemsOf: (value: object) => readonly unknown[] | undefined;
  /** The keys of a map in any order; undefined for other values. */
  readonly keysOf: (value: object) => readonly string[] | undefined;
  /** Whether the keys keep their order, as the fields of a struct do. Default: they are sorted. */
  readonly keepsOrder?: (map: object) => boolean;
  readonly valueAt: (map: object, key: string) => unknown;
  /** The plain value of anything that is neither a list nor a map. */
  readonly plainOf: (value: object) => unknown;
};

/** The text of a scalar that is written without quotes, such as a time. */
export class PlainScalar {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Plain JSON values and exact integers. Properties that are undefined are skipped. */
export const jsonView: YamlView = {
  itemsOf: (value) => (Array.isArray(value) ? value : undefined),
  keysOf: (value) => (isExactInteger(value) || !isFields(value) ? undefined : Object.keys(value).filter((key) => value[key] !== undefined)),
  valueAt: (map, key) => (map as Fields)[key],
  plainOf: (value) => (isExactInteger(value) ? BigInt(value.rawJSON) : null),
};

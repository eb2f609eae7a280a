import { types } from "./parse-type.ts";
import type { ReflectType } from "./reflect-type.ts";
import type { GoValue } from "./value.ts";

const nothing: readonly GoValue[] = [];

/**
 * A Go slice or array. Items have the element type (`Integer`s in an `[]int`, strings in an `[]string`); nil in an `[]interface
 * {}` is null. `items` must not be changed.
 */
export class GoList {
  readonly type: ReflectType;
  readonly items: readonly GoValue[];
  /** A nil slice: empty, but `null` as JSON. */
  readonly isNil: boolean;
  /** The capacity beyond the length, which `slice x 2 9` can reach. */
  readonly spare: readonly GoValue[];

  constructor(type: ReflectType, items: readonly GoValue[], options?: { readonly isNil?: boolean; readonly spare?: readonly GoValue[] }) {
    this.type = type;
    this.items = items;
    this.isNil = options?.isNil ?? false;
    this.spare = options?.spare ?? nothing;
  }

  get length(): number {
    return this.items.length;
  }

  [Symbol.iterator](): Iterator<GoValue> {
    return this.items[Symbol.iterator]();
  }
}

/** An `[]interface {}`. */
export function anyList(items: readonly GoValue[]): GoList {
  return new GoList(types.anyList, items);
}

/** An `[]string`. */
export function stringList(items: readonly string[]): GoList {
  return new GoList(types.stringList, items);
}

/** A nil slice of the given type. */
export function nilList(type: ReflectType = types.anyList): GoList {
  return new GoList(type, [], { isNil: true });
}

import { types } from "./type-text.ts";
import type { GoType } from "./type.ts";
import type { Value } from "./value.ts";

const nothing: readonly Value[] = [];

/**
 * A Go slice or array. The items are of the element type (`Integer`s in an `[]int`, strings in an `[]string`); nil inside
 * an `[]interface {}` is null. Never change `items`: make another list.
 */
export class GoList {
  readonly type: GoType;
  readonly items: readonly Value[];
  /** A nil slice: empty, but `null` as JSON. */
  readonly isNil: boolean;
  /** What lies behind the last item in the same memory, which `slice x 2 9` can reach. */
  readonly spare: readonly Value[];

  constructor(type: GoType, items: readonly Value[], options?: { readonly isNil?: boolean; readonly spare?: readonly Value[] }) {
    this.type = type;
    this.items = items;
    this.isNil = options?.isNil ?? false;
    this.spare = options?.spare ?? nothing;
  }

  get length(): number {
    return this.items.length;
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.items[Symbol.iterator]();
  }
}

/** An `[]interface {}`. */
export function list(items: readonly Value[]): GoList {
  return new GoList(types.anyList, items);
}

/** An `[]string`. */
export function stringList(items: readonly string[]): GoList {
  return new GoList(types.stringList, items);
}

/** A nil slice of the given type. */
export function nilList(type: GoType = types.anyList): GoList {
  return new GoList(type, [], { isNil: true });
}

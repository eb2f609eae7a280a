import { GoList, kindOf, types, wrapped, type Value } from "../template/index.ts";
import { fail, nilPointer } from "./panic.ts";

/** The elements of a slice or array; undefined for everything else. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  if (value instanceof GoList) return value.items;
  return value instanceof Uint8Array ? Array.from(value, (byte) => wrapped(types.uint8, byte)) : undefined;
}

/** The elements of what must be a slice or array; `complaint` begins the message where it is none. */
export function demandItems(value: Value, complaint: string): readonly Value[] {
  if (value === null || value === undefined) return fail(nilPointer);
  return itemsOf(value) ?? fail(`${complaint} ${kindOf(value)}`);
}

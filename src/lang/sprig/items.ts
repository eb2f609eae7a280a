import { GoList, reflectKindOf, types, wrapInteger, type GoValue } from "../template/index.ts";
import { panic, nilPointer } from "./panic.ts";

/** The elements of a slice or array; undefined for everything else. */
export function itemsOf(value: GoValue): readonly GoValue[] | undefined {
  if (value instanceof GoList) return value.items;
  return value instanceof Uint8Array ? Array.from(value, (byte) => wrapInteger(types.uint8, byte)) : undefined;
}

/** The elements of a slice or array. Throws an error that begins with `complaint` for any other value. */
export function requireItems(value: GoValue, complaint: string): readonly GoValue[] {
  if (value === null || value === undefined) return panic(nilPointer);
  return itemsOf(value) ?? panic(`${complaint} ${reflectKindOf(value)}`);
}

import { GoList } from "./list.ts";
import { GoMap } from "./map.ts";
import type { GoValue } from "./value.ts";

/** What an empty map, an element of one, an empty list and an item of one take, as measured in V8 without pointer compression. */
const bytesOf = { map: 220, element: 44, list: 90, item: 8, string: 24, other: 32 } as const;

/** About how many bytes a value takes in memory, for caches. What is shared counts wherever it is. */
export function memorySizeOf(value: GoValue): number {
  let size = 0;
  const pending: GoValue[] = [value];
  while (pending.length > 0) {
    const each = pending.pop();
    if (typeof each === "string") size += bytesOf.string + each.length;
    else if (each instanceof GoMap) {
      size += bytesOf.map + bytesOf.element * each.size;
      for (const [key, element] of each) {
        size += key.length;
        pending.push(element);
      }
    } else if (each instanceof GoList) {
      size += bytesOf.list + bytesOf.item * each.length;
      for (const item of each) pending.push(item);
    } else if (each instanceof Uint8Array) size += bytesOf.list + each.length;
    else if (typeof each === "object" && each !== null) size += bytesOf.other;
  }
  return size;
}

import { charge } from "../../core/cost/index.ts";
import { GoError, GoList, GoMap, type GoValue } from "../template/index.ts";

/** A value that contains itself is deeper. */
const deepest = 100_000;

/** What a copy takes. Collections may be in others many times, and each time are copied. */
const costOfCollection = 128;
const costOfElement = 16;

/** A collection whose elements are yet to be copied. */
type Pending = { readonly source: GoMap | GoList; readonly copy: GoMap | GoValue[]; readonly depth: number };

/** A deep copy of maps and lists. Go exhausts its stack on a value that contains itself. */
export function deepCopy(value: GoValue): GoValue {
  const pending: Pending[] = [];
  const copied = begun(value, 0, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { source, copy, depth } = next;
    charge(costOfCollection + costOfElement * (source instanceof GoList ? source.items.length : source.size));
    if (depth > deepest) throw new GoError("a value that contains itself cannot be copied");
    if (source instanceof GoList) for (const item of source.items) (copy as GoValue[]).push(begun(item, depth + 1, pending));
    else copyElements(source, copy as GoMap, depth + 1, pending);
  }
  return copied;
}

function copyElements(source: GoMap, copy: GoMap, depth: number, pending: Pending[]): void {
  if (source.type.key?.kind === "string") for (const [key, element] of source) copy.set(key, begun(element, depth, pending));
  else for (const [key, element] of source.sortedEntries()) copy.put(key, begun(element, depth, pending));
}

/** The copy of a value. Elements of a collection follow. */
function begun(value: GoValue, depth: number, pending: Pending[]): GoValue {
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof GoMap) {
    if (value.isNil) return value;
    const copy = new GoMap(value.type);
    pending.push({ source: value, copy, depth });
    return copy;
  }
  if (value instanceof GoList) {
    if (value.isNil) return value;
    const items: GoValue[] = [];
    pending.push({ source: value, copy: items, depth });
    return new GoList(value.type, items);
  }
  return value instanceof Uint8Array ? Uint8Array.from(value) : value;
}

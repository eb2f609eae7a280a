import { isFields, type Fields } from "../../core/object/index.ts";
import { keyElement, valueElement, type PathElement } from "./path-element.ts";
import type { ListType } from "./merge-type.ts";
import { compareFields, compareValues, goJsonString, ownField } from "./value.ts";

type Keys = readonly (readonly [string, unknown])[];

/**
 * The path element of an item of an associative list; undefined for an item without keys. Models structured-merge-diff
 * typed/helpers.go listItemToPathElement
 */
export function elementOfItem(list: ListType, item: unknown): PathElement | undefined {
  if (!list.associative) return undefined;
  if (list.keys.length === 0) {
    if (typeof item === "string") return `v:${goJsonString(item)}`;
    return typeof item === "object" || item === undefined ? undefined : valueElement(item);
  }
  const keys = isFields(item) ? keysOfItem(list, item) : [];
  return keys.length === 0 ? undefined : keyElement(keys);
}

/** Why an item of an associative list has no path element; undefined when it has one. */
export function indistinguishableReason(list: ListType, item: unknown): string | undefined {
  const missing = item === null || item === undefined;
  if (list.keys.length === 0) {
    if (typeof item !== "object" && !missing) return undefined;
    if (missing) return "associative list without keys has an element that's an explicit null";
    if (Array.isArray(item)) return "not supported: associative list with lists as elements";
    return "associative list without keys has an element that's a map type";
  }
  if (missing) return "associative list with keys may not have a null element";
  if (!isFields(item)) return "associative list with keys may not have non-map elements";
  for (const name of list.sortedKeys) if (keyValue(list, item, name) !== undefined) return undefined;
  const names = `[${list.keys.map((name) => JSON.stringify(name)).join(" ")}]`;
  return `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`;
}

function keysOfItem(list: ListType, item: Fields): Keys {
  const keys: [string, unknown][] = [];
  for (const name of list.sortedKeys) {
    const value = keyValue(list, item, name);
    if (value !== undefined) keys.push([name, value]);
  }
  return keys;
}

/** An absent key has its default; one without default is not part of the item's identity. */
function keyValue(list: ListType, item: Fields, name: string): unknown {
  const value = ownField(item, name);
  if (value !== undefined) return value;
  const otherwise = list.element.map?.fields.get(name)?.default;
  return otherwise === null ? undefined : otherwise;
}

/** An item of a list with its path element, and its duplicates. */
export type IndexedItem = { readonly element: PathElement; readonly item: unknown; readonly duplicates: readonly unknown[] };

const noDuplicates: readonly unknown[] = [];

/** The items of a list by path element. Items without one are left out. */
export function itemsByElement(list: ListType, items: readonly unknown[]): Map<PathElement, IndexedItem> {
  const found = new Map<PathElement, IndexedItem>();
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (element === undefined) continue;
    const first = found.get(element);
    found.set(
      element,
      first === undefined ? { element, item, duplicates: noDuplicates } : { ...first, duplicates: [...first.duplicates, item] },
    );
  }
  return found;
}

/** Up to this length a linear search is cheaper than an index. */
const shortList = 32;

/** The path elements of two lists with the same items in the same order, without duplicates; undefined for others. */
export function alignedElements(list: ListType, a: readonly unknown[], b: readonly unknown[]): readonly PathElement[] | undefined {
  if (a.length !== b.length || a.length > shortList) return undefined;
  const found: PathElement[] = [];
  for (const [at, item] of a.entries()) {
    const element = elementOfItem(list, item);
    if (element === undefined || found.includes(element)) return undefined;
    if (item !== b[at] && elementOfItem(list, b[at]) !== element) return undefined;
    found.push(element);
  }
  return found;
}

/** The same, sorted as in field sets. */
export function sortedItems(list: ListType, items: readonly unknown[]): readonly IndexedItem[] {
  if (items.length === 1) {
    const element = elementOfItem(list, items[0]);
    return element === undefined ? [] : [{ element, item: items[0], duplicates: noDuplicates }];
  }
  const found: IndexedItem[] = [];
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (element !== undefined) found.push({ element, item, duplicates: noDuplicates });
  }
  found.sort(list.keys.length === 0 ? byValue : (a, b) => compareItems(list, a.item, b.item));
  return found.some(({ element }, at) => element === found[at - 1]?.element)
    ? [
        ...itemsByElement(
          list,
          found.map(({ item }) => item),
        ).values(),
      ]
    : found;
}

function byValue(a: IndexedItem, b: IndexedItem): number {
  return compareValues(a.item, b.item);
}

function compareItems(list: ListType, a: unknown, b: unknown): number {
  if (!isFields(a) || !isFields(b)) return 0;
  // Nearly all lists have one key, which every item has.
  if (list.sortedKeys.length > 1) return compareFields(keysOfItem(list, a), keysOfItem(list, b));
  return compareValues(keyValue(list, a, list.sortedKeys[0]!), keyValue(list, b, list.sortedKeys[0]!));
}

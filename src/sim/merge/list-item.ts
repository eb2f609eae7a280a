import { isFields, type Fields } from "../../object/index.ts";
import { keyElement, valueElement, type PathElement } from "./path-element.ts";
import type { ListType } from "./type.ts";
import { goJsonString, own } from "./value.ts";

/** Why an item cannot be told from the others of its list. */
export type NoElement = { readonly problem: string };

/** The step to an item of an associative list. Models structured-merge-diff typed/helpers.go listItemToPathElement */
export function elementOfItem(list: ListType, item: unknown): PathElement | NoElement {
  if (!list.associative) return { problem: "invalid indexing of non-associative list" };
  if (list.keys.length > 0) return elementByKeys(list, item);
  if (item === null || item === undefined) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: "not supported: associative list with lists as elements" };
  if (typeof item === "object") return { problem: "associative list without keys has an element that's a map type" };
  return typeof item === "string" ? `v:${goJsonString(item)}` : valueElement(item);
}

function elementByKeys(list: ListType, item: unknown): PathElement | NoElement {
  if (item === null || item === undefined) return { problem: "associative list with keys may not have a null element" };
  if (!isFields(item)) return { problem: "associative list with keys may not have non-map elements" };
  const keys: [string, unknown][] = [];
  for (const name of list.sortedKeys) {
    const value = keyValue(list, item, name);
    if (value !== undefined) keys.push([name, value]);
  }
  if (keys.length > 0) return keyElement(keys);
  const names = `[${list.keys.map((name) => JSON.stringify(name)).join(" ")}]`;
  return {
    problem: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  };
}

/** A key that is not set has its default; one without default is no part of the item's identity. */
function keyValue(list: ListType, item: Fields, name: string): unknown {
  const value = own(item, name);
  if (value !== undefined) return value;
  const otherwise = list.element.map?.fields.get(name)?.default;
  return otherwise === null ? undefined : otherwise;
}

/** The items of a list by their steps; those that stand there more than once together. Items that have no step are left out. */
export function itemsByElement(list: ListType, items: readonly unknown[]): Map<PathElement, readonly unknown[]> {
  const found = new Map<PathElement, readonly unknown[]>();
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (typeof element !== "string") continue;
    const before = found.get(element);
    found.set(element, before === undefined ? [item] : [...before, item]);
  }
  return found;
}

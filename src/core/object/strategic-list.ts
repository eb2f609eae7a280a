import { callNested, runNested, type Nested } from "../recursion/index.ts";
import { isFields, type Fields } from "./field.ts";
import { goText, goTypeOf } from "./go-text.ts";
import { PatchFault } from "./patch-fault.ts";
import { jsonTypeOf, ownField, setField, type MutableFields } from "./plain-object.ts";

/** Removes directives and nulls of a patch from a value that is not merged with anything. */
export function withoutDirectives(value: unknown): unknown {
  return runNested(undirected(value));
}

function* undirected(value: unknown): Nested<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) if (!isDirective(item)) items.push(yield* callNested(undirected(item)));
    return items;
  }
  if (!isFields(value)) return value;
  const kept: MutableFields = {};
  for (const [key, item] of Object.entries(value)) {
    if (item === null || item === undefined || isDirective(item) || directiveKey.test(key)) continue;
    setField(kept, key, yield* callNested(undirected(item)));
  }
  return kept;
}

const directiveKey = /^\$(patch|retainKeys)$|^\$(setElementOrder|deleteFromPrimitiveList)\//;

function isDirective(item: unknown): boolean {
  return isFields(item) && Object.hasOwn(item, "$patch");
}

/** Whether two list items are the same: by merge key, or by value when there is none. */
export function sameItem(a: unknown, b: unknown, mergeKey: string): boolean {
  if (mergeKey === "") return a === b;
  const key = identity(a, mergeKey);
  return key !== undefined && key === identity(b, mergeKey);
}

function identity(item: unknown, mergeKey: string): unknown {
  if (mergeKey === "") return item;
  return isFields(item) ? ownField(item, mergeKey) : undefined;
}

/** The common type of all elements. Lists of lists and mixed lists cannot be merged. */
export function elementTypeOf(...lists: readonly (readonly unknown[])[]): string {
  const types = new Set(lists.flat().map(jsonTypeOf));
  if (types.has("array")) throw new PatchFault("Invalid", "lists of lists are not supported");
  if (types.size > 1) throw new PatchFault("InternalError", `list element types are not identical: ${goText(lists)}`);
  for (const type of types) return type;
  throw new PatchFault("InternalError", "no elements in any of the given slices");
}

/**
 * Orders a merged list: items of the patch in patch order, the others in their original order, interleaved so that an
 * item stays before those that it preceded.
 */
export function normalizeElementOrder(
  merged: readonly unknown[],
  order: readonly unknown[],
  original: readonly unknown[],
  mergeKey: string,
): unknown[] {
  const inOrder = ranksOf(order, mergeKey);
  const inOriginal = ranksOf(original, mergeKey);
  const ordered: unknown[] = [];
  const rest: unknown[] = [];
  for (const item of merged) (inOrder.has(keyOf(item, mergeKey)) ? ordered : rest).push(item);
  sortBy(ordered, inOrder, mergeKey);
  sortBy(rest, inOriginal, mergeKey);
  return weave(rest, ordered, inOriginal, mergeKey);
}

function weave(rest: readonly unknown[], ordered: readonly unknown[], ranks: ReadonlyMap<unknown, number>, mergeKey: string): unknown[] {
  const woven: unknown[] = [];
  let next = 0;
  for (const item of ordered) {
    while (next < rest.length && stoodBefore(rest[next], item, ranks, mergeKey)) woven.push(rest[next++]);
    woven.push(item);
  }
  return [...woven, ...rest.slice(next)];
}

function stoodBefore(a: unknown, b: unknown, ranks: ReadonlyMap<unknown, number>, mergeKey: string): boolean {
  const [left, right] = [ranks.get(identity(a, mergeKey)), ranks.get(identity(b, mergeKey))];
  return left !== undefined && right !== undefined && left < right;
}

function ranksOf(list: readonly unknown[], mergeKey: string): Map<unknown, number> {
  const ranks = new Map<unknown, number>();
  for (const [at, item] of list.entries()) {
    const key = keyOf(item, mergeKey);
    if (!ranks.has(key)) ranks.set(key, at);
  }
  return ranks;
}

function sortBy(list: unknown[], ranks: ReadonlyMap<unknown, number>, mergeKey: string): void {
  const rank = (item: unknown) => ranks.get(identity(item, mergeKey)) ?? Infinity;
  list.sort((a, b) => {
    const [left, right] = [rank(a), rank(b)];
    return left === right ? 0 : left - right;
  });
}

/** Like `identity`, but throws for an item without the key. */
function keyOf(item: unknown, mergeKey: string): unknown {
  if (mergeKey === "") return item;
  if (!isFields(item)) throw new PatchFault("InternalError", `expected a map[string]interface {}, but received a ${goTypeOf(item)}`);
  if (!Object.hasOwn(item, mergeKey)) throw noMergeKey(item, mergeKey);
  return item[mergeKey];
}

/** Checks that a patch list is in the order that it sets. */
export function checkOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (order.length === 0 || patch.length === 0) return;
  const items = patch.filter((item) => !(isFields(item) && item["$patch"] === "delete"));
  let at = 0;
  for (let place = 0; at < items.length && place < order.length;) {
    if (isDirective(items[at])) at++;
    else if (keyOf(items[at], mergeKey) === keyOf(order[place++], mergeKey)) at++;
  }
  if (at < items.length)
    throw new PatchFault(
      "InternalError",
      `The order in patch list:\n${goText(patch)}\n doesn't match $setElementOrder list:\n${goText(order)}\n`,
    );
}

export function noMergeKey(item: Fields, mergeKey: string): PatchFault {
  return new PatchFault("InternalError", `map: ${goText(item)} does not contain declared merge key: ${mergeKey}`);
}

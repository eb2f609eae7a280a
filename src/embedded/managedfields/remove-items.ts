import { isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { below, isMember, type FieldSet } from "./field-set.ts";
import { elementOfItem } from "./list-item.ts";
import { elementOfField, formOf, typeOfField, type ListType, type MapType, type MergeType } from "./merge-type.ts";

/**
 * The value without the items and fields of the set; null for a map or list that becomes empty. Models
 * structured-merge-diff typed/remove.go
 */
export function removeItems(value: unknown, items: FieldSet, type: MergeType): unknown {
  return runNested(remove(value, items, type));
}

function* remove(value: unknown, items: FieldSet, type: MergeType): Nested<unknown> {
  switch (formOf(type, value)) {
    case "map":
      return isFields(value) && !type.map!.atomic ? yield* removeFromMap(value, items, type.map!) : null;
    case "list":
      return Array.isArray(value) && !type.list!.atomic ? yield* removeFromList(value, items, type.list!) : null;
    case "scalar":
      return value;
    case undefined:
      return null;
  }
}

function* removeFromMap(value: Fields, items: FieldSet, map: MapType): Nested<Fields | null> {
  const kept: [string, unknown][] = [];
  let changed = false;
  for (const name in value) {
    const item = value[name];
    if (item === undefined) continue;
    const element = elementOfField(map, name);
    const node = items[element];
    if (node !== undefined && isMember(node)) {
      changed = true;
      continue;
    }
    const type = typeOfField(map, name);
    if (node === undefined || type === undefined) {
      kept.push([name, item]);
      continue;
    }
    const rest = yield* callNested(remove(item, node, type));
    changed ||= rest !== item;
    kept.push([name, rest]);
  }
  if (kept.length === 0) return null;
  return changed ? Object.fromEntries(kept) : value;
}

function* removeFromList(items: readonly unknown[], removed: FieldSet, list: ListType): Nested<readonly unknown[] | null> {
  const kept: unknown[] = [];
  let changed = false;
  for (const item of items) {
    const element = elementOfItem(list, item);
    const node = element === undefined ? undefined : removed[element];
    if (node !== undefined && isMember(node)) {
      changed = true;
      continue;
    }
    const rest = node === undefined ? item : yield* callNested(remove(item, node, list.element));
    changed ||= rest !== item;
    kept.push(rest);
  }
  if (kept.length === 0) return null;
  return changed ? kept : items;
}

/**
 * Only the items and fields of the set, and their parents. Atomic values are kept whole. Null when nothing is left.
 * Models structured-merge-diff typed/remove.go with shouldExtract
 */
export function extractItems(value: unknown, items: FieldSet, type: MergeType): unknown {
  return runNested(extract(value, items, type));
}

function* extract(value: unknown, items: FieldSet, type: MergeType): Nested<unknown> {
  switch (formOf(type, value)) {
    case "map":
      if (!isFields(value)) return null;
      return type.map!.atomic || Object.keys(value).length === 0 ? value : yield* extractFromMap(value, items, type.map!);
    case "list":
      if (!Array.isArray(value)) return null;
      return type.list!.atomic || value.length === 0 ? value : yield* extractFromList(value, items, type.list!);
    case "scalar":
      return value;
    case undefined:
      return null;
  }
}

function* extractFromMap(value: Fields, items: FieldSet, map: MapType): Nested<Fields | null> {
  const kept: [string, unknown][] = [];
  for (const name in value) {
    const item = value[name];
    const type = typeOfField(map, name);
    const element = elementOfField(map, name);
    const node = items[element];
    if (item === undefined || type === undefined || node === undefined) continue;
    // Upstream continues with the whole set below an exact match, not with the part below it.
    const inner = isMember(node) ? items : below(items, element);
    kept.push([name, yield* callNested(extract(item, inner ?? {}, type))]);
  }
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

function* extractFromList(items: readonly unknown[], wanted: FieldSet, list: ListType): Nested<readonly unknown[] | null> {
  const kept: unknown[] = [];
  for (const item of items) {
    const element = elementOfItem(list, item);
    if (element === undefined || wanted[element] === undefined) continue;
    const inner = below(wanted, element);
    kept.push(inner === undefined ? item : yield* callNested(extract(item, inner, list.element)));
  }
  return kept.length === 0 ? null : kept;
}

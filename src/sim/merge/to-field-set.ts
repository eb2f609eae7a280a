import { isFields, type Fields } from "../../object/index.ts";
import { emptySet, leaf, nodeOf, type FieldSet } from "./field-set.ts";
import { itemsByElement } from "./list-item.ts";
import { elementOfField, formOf, typeOfField, type ListType, type MapType, type Type } from "./type.ts";
import type { PathElement } from "./path-element.ts";

/**
 * The fields that an applied value speaks of: its leaves, and the entries of maps and lists, but not the structures
 * around them. The value fits its type. Models structured-merge-diff typed/tofieldset.go
 */
export function toFieldSet(value: unknown, type: Type): FieldSet {
  return isFields(value) || Array.isArray(value) ? (nodeFor(value, type, false) ?? emptySet) : emptySet;
}

/** `member`: the place itself belongs to the set, whatever lies below it. */
function nodeFor(value: unknown, type: Type, member: boolean): FieldSet | undefined {
  switch (formOf(type, value)) {
    case "scalar":
      return leaf;
    case "list":
      if (type.list!.atomic) return leaf;
      return Array.isArray(value) ? nodeForList(value, type.list!, member) : nodeOf([], member);
    case "map":
      if (type.map!.atomic) return leaf;
      return isFields(value) ? nodeForMap(value, type.map!, member) : nodeOf([], member);
    case undefined:
      return nodeOf([], member);
  }
}

function nodeForMap(value: Fields, map: MapType, member: boolean): FieldSet | undefined {
  const children: [PathElement, FieldSet][] = [];
  for (const name in value) {
    const item = value[name];
    const type = typeOfField(map, name);
    if (item === undefined || type === undefined) continue;
    const node = nodeFor(item, type, isBare(item) || !map.fields.has(name));
    if (node !== undefined) children.push([elementOfField(map, name), node]);
  }
  return nodeOf(children, member);
}

/** Null and the empty map are values of their own. An empty list is not: nobody owns it. */
function isBare(value: unknown): boolean {
  return value === null || (isFields(value) && Object.keys(value).length === 0);
}

function nodeForList(items: readonly unknown[], list: ListType, member: boolean): FieldSet | undefined {
  const children: [PathElement, FieldSet][] = [];
  for (const [element, same] of itemsByElement(list, items))
    children.push([element, same.length > 1 ? leaf : (nodeFor(same[0], list.element, true) ?? leaf)]);
  return nodeOf(children, member);
}

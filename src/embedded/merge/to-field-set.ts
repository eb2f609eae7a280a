import { isFields } from "../../core/object/index.ts";
import { emptySet, leaf, nodeOf, type FieldSet } from "./field-set.ts";
import { nodeOfFields } from "./field-nodes.ts";
import { sortedItems } from "./list-item.ts";
import { nodeInOrder } from "./shape.ts";
import { formOf, type ListType, type Type } from "./type.ts";
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
      return isFields(value) ? nodeOfFields(value, type.map!, member, nodeForField) : nodeOf([], member);
    case undefined:
      return nodeOf([], member);
  }
}

function nodeForField(value: unknown, type: Type, declared: boolean): FieldSet | undefined {
  return nodeFor(value, type, !declared || isBare(value));
}

/** Null and the empty map are values of their own. An empty list is not: nobody owns it. */
function isBare(value: unknown): boolean {
  return value === null || (isFields(value) && Object.keys(value).length === 0);
}

function nodeForList(items: readonly unknown[], list: ListType, member: boolean): FieldSet | undefined {
  const elements: PathElement[] = [];
  const nodes: FieldSet[] = [];
  for (const { element, item, twins } of sortedItems(list, items)) {
    elements.push(element);
    nodes.push(twins.length > 0 ? leaf : (nodeFor(item, list.element, true) ?? leaf));
  }
  if (elements.length === 0) return member ? leaf : undefined;
  return nodeInOrder(member, elements, nodes);
}

import { isFields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { emptySet, leafNode, nodeOf, type FieldSet } from "./field-set.ts";
import { nodeOfFields } from "./field-nodes.ts";
import { sortedItems } from "./list-item.ts";
import { nodeInOrder } from "./field-set-shape.ts";
import { formOf, type ListType, type MergeType } from "./merge-type.ts";
import type { PathElement } from "./path-element.ts";

/**
 * The fields of an applied value: its leaves, and the entries of maps and lists, but not the structs around them. The
 * value fits its type. Models structured-merge-diff typed/tofieldset.go
 */
export function toFieldSet(value: unknown, type: MergeType): FieldSet {
  return isFields(value) || Array.isArray(value) ? (runNested(nodeFor(value, type, false)) ?? emptySet) : emptySet;
}

/** `member`: whether the node itself belongs to the set. */
function* nodeFor(value: unknown, type: MergeType, member: boolean): Nested<FieldSet | undefined> {
  switch (formOf(type, value)) {
    case "scalar":
      return leafNode;
    case "list":
      if (type.list!.atomic) return leafNode;
      return Array.isArray(value) ? yield* nodeForList(value, type.list!, member) : nodeOf([], member);
    case "map":
      if (type.map!.atomic) return leafNode;
      return isFields(value) ? yield* nodeOfFields(value, type.map!, member, nodeForField) : nodeOf([], member);
    case undefined:
      return nodeOf([], member);
  }
}

function nodeForField(value: unknown, type: MergeType, declared: boolean): Nested<FieldSet | undefined> {
  return nodeFor(value, type, !declared || isBare(value));
}

/** Null and the empty map are leaves. An empty list is not, and has no owner. */
function isBare(value: unknown): boolean {
  return value === null || (isFields(value) && Object.keys(value).length === 0);
}

function* nodeForList(items: readonly unknown[], list: ListType, member: boolean): Nested<FieldSet | undefined> {
  const elements: PathElement[] = [];
  const nodes: FieldSet[] = [];
  for (const { element, item, duplicates } of sortedItems(list, items)) {
    elements.push(element);
    nodes.push(duplicates.length > 0 ? leafNode : ((yield* callNested(nodeFor(item, list.element, true))) ?? leafNode));
  }
  if (elements.length === 0) return member ? leafNode : undefined;
  return nodeInOrder(member, elements, nodes);
}

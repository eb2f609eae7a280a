import { equal, isFields, type Fields } from "../../core/object/index.ts";
import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { asMember, emptySet, isEmptySet, leafNode, nodeOf, setUnion, type FieldSet } from "./field-set.ts";
import type { FieldSetFilter } from "./field-set-filter.ts";
import { nodeOfFields } from "./field-nodes.ts";
import { alignedElements, itemsByElement, sortedItems, type IndexedItem } from "./list-item.ts";
import type { PathElement } from "./path-element.ts";
import { nodeInOrder } from "./field-set-shape.ts";
import { elementOfField, formOf, typeOfField, type Form, type ListType, type MapType, type MergeType } from "./merge-type.ts";
import { ownField } from "./value.ts";

/** The differences of two values. No field is in two of the sets. */
export type Comparison = { readonly removed: FieldSet; readonly modified: FieldSet; readonly added: FieldSet };

const noDifference: Comparison = { removed: emptySet, modified: emptySet, added: emptySet };

/** The changes at one node; undefined when there are none at or below it. */
type NodeChange = {
  readonly removed?: FieldSet | undefined;
  readonly modified?: FieldSet | undefined;
  readonly added?: FieldSet | undefined;
};

/**
 * Compares two values of one type. Shared structure is skipped, so a small change of a large object is cheap. Both
 * values fit the type. Models structured-merge-diff typed/compare.go
 */
export function compareTyped(before: unknown, after: unknown, type: MergeType): Comparison {
  const { removed = emptySet, modified = emptySet, added = emptySet } = runNested(changeOf(before, after, type)) ?? noDifference;
  return { removed, modified, added };
}

/** The comparison without the fields that `filter` removes. */
export function filterComparison(comparison: Comparison, filter: FieldSetFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { removed, modified, added } = comparison;
  return { removed: filter(removed), modified: filter(modified), added: filter(added) };
}

function* changeOf(before: unknown, after: unknown, type: MergeType): Nested<NodeChange | undefined> {
  if (before === after) return undefined;
  const form = formOf(type, before);
  const change = yield* changeAs(form, before, after, type);
  const other = formOf(type, after);
  // A value that changes its form is compared in both forms.
  return other === form ? change : both(change, yield* changeAs(other, before, after, type));
}

function* changeAs(form: Form | undefined, before: unknown, after: unknown, type: MergeType): Nested<NodeChange | undefined> {
  switch (form) {
    case "map": {
      const left = isFields(before) ? before : {};
      const right = isFields(after) ? after : {};
      if (type.map!.atomic || (hasNothing(left) && hasNothing(right))) return changeOfLeaf(before, after);
      return yield* changeOfMap(left, right, type.map!);
    }
    case "list": {
      const left: readonly unknown[] = Array.isArray(before) ? before : [];
      const right: readonly unknown[] = Array.isArray(after) ? after : [];
      if (type.list!.atomic || (left.length === 0 && right.length === 0)) return changeOfLeaf(before, after);
      return yield* changeOfList(left, right, type.list!);
    }
    case "scalar":
      return changeOfLeaf(before, after);
    case undefined:
      return undefined;
  }
}

function changeOfLeaf(before: unknown, after: unknown): NodeChange | undefined {
  return equal(before, after) ? undefined : { modified: leafNode };
}

function hasNothing(value: Fields): boolean {
  for (const name in value) if (value[name] !== undefined) return false;
  return true;
}

function both(a: NodeChange | undefined, b: NodeChange | undefined): NodeChange | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return { removed: joined(a.removed, b.removed), modified: joined(a.modified, b.modified), added: joined(a.added, b.added) };
}

function joined(a: FieldSet | undefined, b: FieldSet | undefined): FieldSet | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (isEmptySet(a)) return asMember(b);
  return isEmptySet(b) ? asMember(a) : setUnion(a, b);
}

type Children = [PathElement, FieldSet][];

/** Collects the changes below one node; most nodes have changes of one sort only. */
class NodeChanges {
  #removed: Children | undefined;
  #modified: Children | undefined;
  #added: Children | undefined;

  removed(element: PathElement, node: FieldSet): void {
    (this.#removed ??= []).push([element, node]);
  }

  modified(element: PathElement, node: FieldSet): void {
    (this.#modified ??= []).push([element, node]);
  }

  added(element: PathElement, node: FieldSet): void {
    (this.#added ??= []).push([element, node]);
  }

  take(element: PathElement, change: NodeChange | undefined): void {
    if (change?.removed !== undefined) this.removed(element, change.removed);
    if (change?.modified !== undefined) this.modified(element, change.modified);
    if (change?.added !== undefined) this.added(element, change.added);
  }

  result(): NodeChange | undefined {
    if (this.#removed === undefined && this.#modified === undefined && this.#added === undefined) return undefined;
    return {
      removed: nodeOf(this.#removed ?? [], false),
      modified: nodeOf(this.#modified ?? [], false),
      added: nodeOf(this.#added ?? [], false),
    };
  }
}

function* changeOfMap(before: Fields, after: Fields, map: MapType): Nested<NodeChange | undefined> {
  const changes = new NodeChanges();
  for (const name in before) {
    const left = before[name];
    if (left === undefined || left === after[name]) continue;
    const right = ownField(after, name);
    const type = typeOfField(map, name);
    if (type === undefined) continue;
    if (right === undefined) changes.removed(elementOfField(map, name), yield* wholeBelow(left, type));
    else changes.take(elementOfField(map, name), yield* callNested(changeOf(left, right, type)));
  }
  for (const name in after) {
    const right = after[name];
    if (right === undefined || ownField(before, name) !== undefined) continue;
    const type = typeOfField(map, name);
    if (type !== undefined) changes.added(elementOfField(map, name), yield* wholeBelow(right, type));
  }
  return changes.result();
}

function* changeOfList(before: readonly unknown[], after: readonly unknown[], list: ListType): Nested<NodeChange | undefined> {
  const changes = new NodeChanges();
  const aligned = alignedElements(list, before, after);
  if (aligned !== undefined) {
    for (const [at, element] of aligned.entries())
      if (before[at] !== after[at]) changes.take(element, yield* callNested(changeOf(before[at], after[at], list.element)));
    return changes.result();
  }
  const lefts = itemsByElement(list, before);
  const rights = itemsByElement(list, after);
  for (const [element, left] of lefts) {
    const right = rights.get(element);
    if (right !== undefined && left.duplicates === right.duplicates)
      changes.take(element, yield* callNested(changeOf(left.item, right.item, list.element)));
    else yield* compareItems(changes, list, element, allOf(left), allOf(right));
  }
  for (const [element, right] of rights) if (!lefts.has(element)) yield* compareItems(changes, list, element, [], allOf(right));
  return changes.result();
}

function allOf(indexed: IndexedItem | undefined): readonly unknown[] {
  return indexed === undefined ? [] : [indexed.item, ...indexed.duplicates];
}

/** Duplicate items are not compared with each other: together they are one leaf, or become ordinary items. */
function* compareItems(
  changes: NodeChanges,
  list: ListType,
  element: PathElement,
  left: readonly unknown[],
  right: readonly unknown[],
): Nested<void> {
  if (left.length <= 1 && right.length <= 1) {
    if (left.length === 0) changes.added(element, yield* wholeBelow(right[0], list.element));
    else if (right.length === 0) changes.removed(element, yield* wholeBelow(left[0], list.element));
    else changes.take(element, yield* callNested(changeOf(left[0], right[0], list.element)));
  } else if (left.length > 1 && right.length > 1) {
    if (!equal(left, right)) changes.modified(element, leafNode);
  } else if (left.length > 1) {
    if (right.length === 1) changes.added(element, yield* wholeBelow(right[0], list.element));
    changes.removed(element, leafNode);
  } else {
    if (left.length === 1) changes.removed(element, yield* wholeBelow(left[0], list.element));
    changes.added(element, leafNode);
  }
}

/** The node of a value that exists on one side only: itself and everything below it. */
function* wholeOf(value: unknown, type: MergeType): Nested<FieldSet> {
  if (typeof value !== "object" || value === null) return leafNode;
  if (Array.isArray(value))
    return type.list === undefined || type.list.atomic || value.length === 0 ? leafNode : yield* wholeList(value, type.list);
  if (type.map === undefined || type.map.atomic || !isFields(value)) return leafNode;
  return (yield* nodeOfFields(value, type.map, true, wholeOf)) ?? leafNode;
}

/** The same from inside another call. Most values are leaves. */
function* wholeBelow(value: unknown, type: MergeType): Nested<FieldSet> {
  return typeof value === "object" && value !== null ? yield* callNested(wholeOf(value, type)) : leafNode;
}

function* wholeList(items: readonly unknown[], list: ListType): Nested<FieldSet> {
  const elements: PathElement[] = [];
  const nodes: FieldSet[] = [];
  for (const { element, item, duplicates } of sortedItems(list, items)) {
    elements.push(element);
    nodes.push(duplicates.length > 0 ? leafNode : yield* wholeBelow(item, list.element));
  }
  return nodeInOrder(true, elements, nodes);
}

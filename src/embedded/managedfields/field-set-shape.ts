import { leafNode, type FieldSet } from "./field-set.ts";
import { self, type PathElement } from "./path-element.ts";

/**
 * Shared nodes of structs of one type: thousands of Pods own the same fields, and so share one tree. Only nodes whose
 * children are leaves or shared nodes are kept; there are as many as there are combinations of fields, and names that
 * users choose create none.
 *
 * A shape has one field more than the shape it was reached from, so a lookup costs one step for each field.
 */
export type FieldSetShape = {
  /** As a member, and not as a member. */
  member: FieldSet | undefined;
  inner: FieldSet | undefined;
  /** By the rank of the field that is added, for fields that are leaves. */
  readonly leaves: (FieldSetShape | undefined)[];
  /** The same for other fields, by their node. */
  readonly others: (Map<FieldSet, FieldSetShape> | undefined)[];
};

const shared = new WeakSet<FieldSet>();

export function emptyShape(): FieldSetShape {
  return { member: undefined, inner: undefined, leaves: [], others: [] };
}

/** The shape with one more field; undefined if that field's node is not shared. */
export function shapeWith(shape: FieldSetShape, rank: number, node: FieldSet): FieldSetShape | undefined {
  if (node === leafNode) return (shape.leaves[rank] ??= emptyShape());
  if (!shared.has(node)) return undefined;
  const byNode = (shape.others[rank] ??= new Map());
  const known = byNode.get(node);
  if (known !== undefined) return known;
  const added = emptyShape();
  byNode.set(node, added);
  return added;
}

/** The node of a shape. */
export function nodeOfShape(shape: FieldSetShape, member: boolean, elements: readonly PathElement[], nodes: readonly FieldSet[]): FieldSet {
  const known = member ? shape.member : shape.inner;
  if (known !== undefined) return known;
  const node = nodeInOrder(member, elements, nodes);
  shared.add(node);
  if (member) shape.member = node;
  else shape.inner = node;
  return node;
}

/** A node of children that are in order already. */
export function nodeInOrder(member: boolean, elements: readonly PathElement[], nodes: readonly FieldSet[]): FieldSet {
  const node: Record<PathElement, FieldSet> = {};
  if (member) node[self] = leafNode;
  for (let at = 0; at < elements.length; at++) node[elements[at]!] = nodes[at]!;
  return node;
}

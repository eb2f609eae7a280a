import type { Fields } from "../../core/object/index.ts";
import { callNested, type Nested } from "../../core/recursion/index.ts";
import { leafNode, type FieldSet } from "./field-set.ts";
import { fieldElement, type PathElement } from "./path-element.ts";
import { nodeInOrder, nodeOfShape, shapeWith, type FieldSetShape } from "./field-set-shape.ts";
import type { FieldType, MapType, MergeType } from "./merge-type.ts";
import { compareText } from "./value.ts";

/** The node of a field's value, undefined for none; `declared` if the type declares the field. */
type NodeOfField = (value: unknown, type: MergeType, declared: boolean) => Nested<FieldSet | undefined>;

/**
 * The node of a map, built from the nodes of its fields. Creating objects spends its time here: fields of a struct are
 * sorted by their rank in the type, and structs with the same fields share one node.
 */
export function* nodeOfFields(value: Fields, map: MapType, member: boolean, nodeOfField: NodeOfField): Nested<FieldSet | undefined> {
  const declared: FieldType[] = [];
  const names: string[] = [];
  let others: string[] | undefined;
  for (const name in value) {
    if (value[name] === undefined) continue;
    const field = map.fields.get(name);
    if (field === undefined) (others ??= []).push(name);
    else insertByRank(declared, names, field, name);
  }
  return others === undefined
    ? yield* nodeOfStruct(value, declared, names, map.shapes, member, nodeOfField)
    : yield* nodeOfMixed(value, map, [...names, ...others], member, nodeOfField);
}

/** Most values are scalars, whose node is a leaf. */
function* nodeBelow(value: unknown, type: MergeType, declared: boolean, nodeOfField: NodeOfField): Nested<FieldSet | undefined> {
  return typeof value !== "object" && type.scalar !== undefined ? leafNode : yield* callNested(nodeOfField(value, type, declared));
}

function insertByRank(declared: FieldType[], names: string[], field: FieldType, name: string): void {
  let at = declared.length;
  while (at > 0 && declared[at - 1]!.rank > field.rank) {
    declared[at] = declared[at - 1]!;
    names[at] = names[at - 1]!;
    at--;
  }
  declared[at] = field;
  names[at] = name;
}

function* nodeOfStruct(
  value: Fields,
  declared: readonly FieldType[],
  names: readonly string[],
  shapes: FieldSetShape,
  member: boolean,
  nodeOfField: NodeOfField,
): Nested<FieldSet | undefined> {
  const elements: PathElement[] = [];
  const nodes: FieldSet[] = [];
  let shape: FieldSetShape | undefined = shapes;
  for (let at = 0; at < declared.length; at++) {
    const { type, element, rank } = declared[at]!;
    const node = yield* nodeBelow(value[names[at]!], type, true, nodeOfField);
    if (node === undefined) continue;
    elements.push(element);
    nodes.push(node);
    if (shape !== undefined) shape = shapeWith(shape, rank, node);
  }
  if (elements.length === 0) return member ? leafNode : undefined;
  return shape === undefined ? nodeInOrder(member, elements, nodes) : nodeOfShape(shape, member, elements, nodes);
}

/** Fields that the type does not declare are sorted among the declared ones, by name. */
function* nodeOfMixed(
  value: Fields,
  map: MapType,
  names: string[],
  member: boolean,
  nodeOfField: NodeOfField,
): Nested<FieldSet | undefined> {
  const elements: PathElement[] = [];
  const nodes: FieldSet[] = [];
  for (const name of names.sort(compareText)) {
    const field = map.fields.get(name);
    const type = field?.type ?? map.element;
    const node = type === undefined ? undefined : yield* nodeBelow(value[name], type, field !== undefined, nodeOfField);
    if (node === undefined) continue;
    elements.push(field?.element ?? fieldElement(name));
    nodes.push(node);
  }
  if (elements.length === 0) return member ? leafNode : undefined;
  return nodeInOrder(member, elements, nodes);
}

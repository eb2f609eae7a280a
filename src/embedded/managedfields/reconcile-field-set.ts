import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { asMember, hasChildren, leafNode, type FieldSet } from "./field-set.ts";
import { fieldNameOf, isKeyElement, self, type PathElement } from "./path-element.ts";
import { formOf, typeOfField, type MergeType } from "./merge-type.ts";

/** Maps the children of a node that have children themselves; returns the same node when none changes. */
function* mapChildren(node: FieldSet, change: (element: PathElement, child: FieldSet) => Nested<FieldSet>): Nested<FieldSet> {
  let changed: Record<PathElement, FieldSet> | undefined;
  for (const element in node) {
    if (element === self) continue;
    const before = node[element]!;
    const child = hasChildren(before) ? yield* callNested(change(element, before)) : before;
    if (child !== before) (changed ??= { ...node })[element] = child;
  }
  return changed ?? node;
}

/** The type below one path element; undefined where it is unknown. */
function typeBelow(type: MergeType | undefined, element: PathElement): MergeType | undefined {
  const name = fieldNameOf(element);
  if (name !== undefined) return type?.map === undefined ? undefined : typeOfField(type.map, name);
  return isKeyElement(element) ? type?.list?.element : undefined;
}

/**
 * Makes every struct field that leads to a member a member itself: sets leave those out, but an emptied field must be
 * removed too. Models structured-merge-diff Set.EnsureNamedFieldsAreMembers
 */
export function ensureNamedFieldsAreMembers(set: FieldSet, type: MergeType | undefined): FieldSet {
  return runNested(withNamedFields(set, type));
}

function withNamedFields(set: FieldSet, type: MergeType | undefined): Nested<FieldSet> {
  return mapChildren(set, function* (element, child) {
    const inner = yield* withNamedFields(child, typeBelow(type, element));
    const name = fieldNameOf(element);
    return name !== undefined && type?.map?.fields.has(name) === true ? asMember(inner) : inner;
  });
}

/**
 * Adapts a set to a changed schema: the owner of a part of a field that became atomic owns all of it. The other
 * direction changes nothing. Models structured-merge-diff typed/reconcile_schema.go
 */
export function reconcileFieldSet(set: FieldSet, type: MergeType): FieldSet {
  return runNested(reconcileChildren(set, type));
}

function* reconcileNode(node: FieldSet, type: MergeType): Nested<FieldSet> {
  const form = formOf(type, undefined);
  if (form === undefined || form === "scalar") return node;
  if (form === "map" && type.map!.deduced) return node;
  const atomic = form === "map" ? type.map!.atomic : type.list!.atomic;
  return atomic ? leafNode : yield* reconcileChildren(node, type);
}

function reconcileChildren(node: FieldSet, type: MergeType): Nested<FieldSet> {
  const form = formOf(type, undefined);
  return mapChildren(node, function* (element, child) {
    const inner = form === "list" ? type.list!.element : mapTypeBelow(type, element);
    return inner === undefined ? child : yield* reconcileNode(child, inner);
  });
}

function mapTypeBelow({ map }: MergeType, element: PathElement): MergeType | undefined {
  const name = fieldNameOf(element);
  if (map === undefined || map.deduced) return undefined;
  return name === undefined ? map.element : typeOfField(map, name);
}

import { asMember, hasChildren, leafNode, type FieldSet } from "./field-set.ts";
import { fieldNameOf, isKeyElement, self, type PathElement } from "./path-element.ts";
import { formOf, typeOfField, type MergeType } from "./merge-type.ts";

/** Maps the children of a node; returns the same node when none changes. */
function mapChildren(node: FieldSet, change: (element: PathElement, child: FieldSet) => FieldSet): FieldSet {
  let changed: Record<PathElement, FieldSet> | undefined;
  for (const element in node) {
    if (element === self) continue;
    const child = change(element, node[element]!);
    if (child !== node[element]) (changed ??= { ...node })[element] = child;
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
  return mapChildren(set, (element, child) => {
    if (!hasChildren(child)) return child;
    const inner = ensureNamedFieldsAreMembers(child, typeBelow(type, element));
    const name = fieldNameOf(element);
    return name !== undefined && type?.map?.fields.has(name) === true ? asMember(inner) : inner;
  });
}

/**
 * Adapts a set to a changed schema: the owner of a part of a field that became atomic owns all of it. The other
 * direction changes nothing. Models structured-merge-diff typed/reconcile_schema.go
 */
export function reconcileFieldSet(set: FieldSet, type: MergeType): FieldSet {
  return reconcileChildren(set, type);
}

function reconcileNode(node: FieldSet, type: MergeType): FieldSet {
  const form = formOf(type, undefined);
  if (form === undefined || form === "scalar" || !hasChildren(node)) return node;
  if (form === "map" && type.map!.deduced) return node;
  const atomic = form === "map" ? type.map!.atomic : type.list!.atomic;
  return atomic ? leafNode : reconcileChildren(node, type);
}

function reconcileChildren(node: FieldSet, type: MergeType): FieldSet {
  const form = formOf(type, undefined);
  return mapChildren(node, (element, child) => {
    const inner = form === "list" ? type.list!.element : mapTypeBelow(type, element);
    return inner === undefined ? child : reconcileNode(child, inner);
  });
}

function mapTypeBelow({ map }: MergeType, element: PathElement): MergeType | undefined {
  const name = fieldNameOf(element);
  if (map === undefined || map.deduced) return undefined;
  return name === undefined ? map.element : typeOfField(map, name);
}

import { callNested, runNested, type Nested } from "../../core/recursion/index.ts";
import { comparePathElements, fieldElement, self, type ElementPath, type PathElement } from "./path-element.ts";

/**
 * A set of fields in the form of fieldsV1: the value in managedFields is the set itself, with nothing to parse or to
 * write. An empty node is a member; a node with children is one if it also contains `.`. Children are in canonical
 * order. Immutable: operations share what they do not change.
 */
export type FieldSet = { readonly [element: PathElement]: FieldSet };

/** The node of a member without children. */
export const leafNode: FieldSet = Object.freeze({});

export const emptySet: FieldSet = leafNode;

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the node itself is a member of the set. */
export function isMember(node: FieldSet): boolean {
  return node[self] !== undefined || isEmptySet(node);
}

/** Whether `node` has members below it. */
export function hasChildren(node: FieldSet): boolean {
  for (const element in node) if (element !== self) return true;
  return false;
}

type Children = [PathElement, FieldSet][];

function byElement([a]: readonly [PathElement, unknown], [b]: readonly [PathElement, unknown]): number {
  return comparePathElements(a, b);
}

/** A node of unsorted children; undefined when it is empty. */
export function nodeOf(children: Children, member: boolean): FieldSet | undefined {
  if (children.length === 0) return member ? leafNode : undefined;
  sortChildren(children);
  const node: Record<PathElement, FieldSet> = {};
  if (member) node[self] = leafNode;
  for (const [element, child] of children) node[element] = child;
  return node;
}

/** Objects are mostly sorted already, which makes an insertion sort the cheapest. */
function sortChildren(children: Children): void {
  if (children.length > 24) {
    children.sort(byElement);
    return;
  }
  for (let at = 1; at < children.length; at++) {
    const child = children[at]!;
    let to = at;
    while (to > 0 && comparePathElements(children[to - 1]![0], child[0]) > 0) children[to] = children[--to]!;
    children[to] = child;
  }
}

/** The set of these paths; an element without a fieldsV1 prefix is a field name. */
export function fieldSetOf(...paths: readonly ElementPath[]): FieldSet {
  let set: FieldSet = emptySet;
  for (const path of paths) {
    let node: FieldSet = leafNode;
    for (const step of [...path].reverse()) node = { [isElement(step) ? step : fieldElement(step)]: node };
    set = setUnion(set, node);
  }
  return set;
}

function isElement(step: string): boolean {
  return /^[fkvi]:/.test(step);
}

/** The members of either set. */
export function setUnion(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  return isEmptySet(a) ? b : runNested(unionOfNodes(a, b));
}

/** Both nodes have children or are members. */
function* unionOfNodes(a: FieldSet, b: FieldSet): Nested<FieldSet> {
  if (a === b) return a;
  if (isEmptySet(a)) return asMember(b);
  if (isEmptySet(b)) return asMember(a);
  const changed: Children = [];
  let grows = false;
  for (const element in b) {
    const mine = a[element];
    const theirs = b[element]!;
    if (mine === theirs || (mine !== undefined && isEmptySet(mine) && isEmptySet(theirs))) continue;
    const both = mine === undefined ? theirs : yield* callNested(unionOfNodes(mine, theirs));
    if (both === mine) continue;
    if (mine === undefined) grows = true;
    changed.push([element, both]);
  }
  if (changed.length === 0) return a;
  if (!grows) return Object.assign({}, a, Object.fromEntries(changed));
  return interleave(a, changed);
}

/** `a` with `changed` merged into it, in order. Both are sorted. */
function interleave(a: FieldSet, changed: Children): FieldSet {
  const node: Record<PathElement, FieldSet> = {};
  let next = 0;
  for (const element in a) {
    while (next < changed.length && comparePathElements(changed[next]![0], element) < 0) {
      node[changed[next]![0]] = changed[next]![1];
      next++;
    }
    if (next < changed.length && changed[next]![0] === element) node[element] = changed[next++]![1];
    else node[element] = a[element]!;
  }
  for (; next < changed.length; next++) node[changed[next]![0]] = changed[next]![1];
  return node;
}

/** The node as a member. */
export function asMember(node: FieldSet): FieldSet {
  return isMember(node) ? node : { [self]: leafNode, ...node };
}

/** The members of both sets. The cost grows with the size of the first one. */
export function setIntersection(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? emptySet : (runNested(intersectionOfNodes(a, b)) ?? emptySet);
}

function* intersectionOfNodes(a: FieldSet, b: FieldSet): Nested<FieldSet | undefined> {
  if (a === b) return a;
  const member = isMember(a) && isMember(b);
  const children: Children = [];
  for (const element in a) {
    const other = element === self ? undefined : b[element];
    const both = other === undefined || other === a[element] ? other : yield* callNested(intersectionOfNodes(a[element]!, other));
    if (both !== undefined) children.push([element, both]);
  }
  return nodeOf(children, member);
}

/** The members of `a` that are no members of `b`; removing a parent leaves its children. The cost grows with the size of `b`. */
export function setDifference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? a : (runNested(without(a, b, differenceOfNodes)) ?? emptySet);
}

/** `a` without the members of `b` and everything below them. */
export function recursiveSetDifference(a: FieldSet, b: FieldSet): FieldSet {
  return isEmptySet(a) || isEmptySet(b) ? a : (runNested(without(a, b, recursiveDifferenceOfNodes)) ?? emptySet);
}

type Subtract = (a: FieldSet, b: FieldSet) => Nested<FieldSet | undefined>;

function* differenceOfNodes(a: FieldSet, b: FieldSet): Nested<FieldSet | undefined> {
  if (isEmptySet(a)) return isMember(b) ? undefined : a;
  if (isEmptySet(b)) return a[self] === undefined ? a : withoutSelf(a);
  return yield* without(a, b, differenceOfNodes);
}

function* recursiveDifferenceOfNodes(a: FieldSet, b: FieldSet): Nested<FieldSet | undefined> {
  if (isMember(b)) return undefined;
  return isEmptySet(a) ? a : yield* without(a, b, recursiveDifferenceOfNodes);
}

/** `a` without what `subtract` removes from its children; both have some. A member without children stays a member. */
function* without(a: FieldSet, b: FieldSet, subtract: Subtract): Nested<FieldSet | undefined> {
  let lost: Map<PathElement, FieldSet | undefined> | undefined;
  for (const element in b) {
    const mine = a[element];
    if (mine === undefined) continue;
    const theirs = b[element]!;
    // Most are leaves on both sides, of which nothing is left.
    const isGone = element === self || (isEmptySet(mine) && isEmptySet(theirs));
    const rest = isGone ? undefined : yield* callNested(subtract(mine, theirs));
    if (rest !== mine) (lost ??= new Map()).set(element, rest);
  }
  if (lost === undefined) return a;
  const member = a[self] !== undefined && !lost.has(self);
  const node: Record<PathElement, FieldSet> = {};
  let children = 0;
  for (const element in a) {
    const rest = lost.has(element) ? lost.get(element) : a[element]!;
    if (rest === undefined) continue;
    node[element] = rest;
    if (element !== self) children++;
  }
  if (children > 0) return node;
  return member ? leafNode : undefined;
}

function withoutSelf(node: FieldSet): FieldSet {
  const { [self]: _, ...children } = node;
  return children;
}

/** The members that have no members below them. */
export function leaves(set: FieldSet): FieldSet {
  return runNested(leavesOf(set));
}

function* leavesOf(set: FieldSet): Nested<FieldSet> {
  const node: Record<PathElement, FieldSet> = {};
  for (const element in set) if (element !== self) node[element] = yield* callNested(leavesOf(set[element]!));
  return node;
}

/** The node below one path element; undefined when there is none. */
export function below(set: FieldSet, element: PathElement): FieldSet | undefined {
  const node = set[element];
  return node !== undefined && hasChildren(node) ? node : undefined;
}

/** Whether the path is a member. */
export function hasPath(set: FieldSet, path: ElementPath): boolean {
  let node: FieldSet | undefined = set;
  for (const element of path) {
    node = node[element];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

/** All members; those of a node come before those below it. */
export function memberPathsOf(set: FieldSet): ElementPath[] {
  const found: ElementPath[] = [];
  runNested(collect(set, [], found));
  return found;
}

function* collect(node: FieldSet, prefix: ElementPath, found: ElementPath[]): Nested<void> {
  for (const element in node) if (element !== self && isMember(node[element]!)) found.push([...prefix, element]);
  for (const element in node)
    if (element !== self && hasChildren(node[element]!)) yield* callNested(collect(node[element]!, [...prefix, element], found));
}

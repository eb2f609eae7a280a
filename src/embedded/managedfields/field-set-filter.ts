import { hasChildren, isMember, nodeOf, recursiveSetDifference, type FieldSet } from "./field-set.ts";
import { fieldElement, self, type PathElement } from "./path-element.ts";

/** Removes the fields that an endpoint resets: writing to it gives no manager ownership of them. */
export type FieldSetFilter = (set: FieldSet) => FieldSet;

/** Excludes these fields with everything below them: `status` for a write to the object, `spec` for one to the status. */
export function excluding(fields: FieldSet): FieldSetFilter {
  return (set) => recursiveSetDifference(set, fields);
}

/** A pattern of field names, with `*` for any path element. */
type FieldPattern = readonly string[];

/** Keeps only the fields that match a pattern, and those below them. Models fieldpath.NewIncludeMatcherFilter */
export function including(...patterns: readonly FieldPattern[]): FieldSetFilter {
  return (set) => matching(set, patterns) ?? {};
}

function matching(node: FieldSet, patterns: readonly FieldPattern[]): FieldSet | undefined {
  if (patterns.some((pattern) => pattern.length === 0)) return node;
  const kept: [PathElement, FieldSet][] = [];
  for (const element in node) {
    if (element === self) continue;
    const rest = patterns.filter(([step = ""]) => step === "*" || fieldElement(step) === element).map((pattern) => pattern.slice(1));
    if (rest.length === 0) continue;
    const child = node[element]!;
    const inner = hasChildren(child) ? matching(child, rest) : undefined;
    const found = nodeOf(inner === undefined ? [] : childrenOf(inner), isMember(child));
    if (found !== undefined) kept.push([element, found]);
  }
  return nodeOf(kept, false);
}

function childrenOf(node: FieldSet): [PathElement, FieldSet][] {
  return Object.entries(node).filter(([element]) => element !== self);
}

import { equal, isFields, setField, type Fields, type Json, type MutableFields } from "../../core/object/index.ts";

/**
 * Fields as managedFields have them (FieldsV1): `f:name` is a field, `k:{…}` an item by its keys, `v:…` an item by its
 * value; a node owns its own path when it has `.` or is empty. Models structured-merge-diff fieldpath/serialize.go
 */
export type FieldSet = { readonly [element: string]: Json };

/** Either set's fields. */
export function joinFieldSets(one: FieldSet, other: FieldSet): FieldSet {
  const elements = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries(
    [...elements].map((element) => {
      const [a, b] = [nodeAt(one, element), nodeAt(other, element)];
      return [element, a === undefined || b === undefined ? (a ?? b ?? {}) : joinNodes(a, b)];
    }),
  );
}

/** An empty node owns its path, which has to be said by `.` once there is something below it. */
function joinNodes(a: FieldSet, b: FieldSet): FieldSet {
  const joined = joinFieldSets(a, b);
  const isMember = isEmpty(a) || isEmpty(b);
  return isMember && !isEmpty(joined) ? { ".": {}, ...joined } : joined;
}

/**
 * The value without the fields that are in `owned` and not in `kept`. A field goes with all that is below it unless
 * some of that is kept. Models structured-merge-diff merge/update.go prune
 */
export function withoutOwnedFields(value: unknown, owned: FieldSet, kept: FieldSet): unknown {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => itemLeft(item, owned, kept));
  if (!isFields(value)) return value;
  const left: MutableFields = {};
  for (const [name, field] of Object.entries(value)) {
    const [mine, theirs] = [nodeAt(owned, `f:${name}`), nodeAt(kept, `f:${name}`)];
    if (mine === undefined) setField(left, name, field);
    else if (theirs !== undefined) setField(left, name, withoutOwnedFields(field, mine, theirs));
  }
  return left;
}

/** The item, without what is owned in it; none when it is owned itself. */
function itemLeft(item: unknown, owned: FieldSet, kept: FieldSet): readonly unknown[] {
  const element = Object.keys(owned).find((text) => isElementOf(text, item));
  const mine = element === undefined ? undefined : nodeAt(owned, element);
  if (mine === undefined) return [item];
  const other = Object.keys(kept).find((text) => isElementOf(text, item));
  const theirs = other === undefined ? undefined : nodeAt(kept, other);
  if (theirs === undefined && (isEmpty(mine) || "." in mine)) return [];
  return [withoutOwnedFields(item, mine, theirs ?? {})];
}

function isElementOf(element: string, item: unknown): boolean {
  const [, kind, text = ""] = /^([kv]):(.*)$/s.exec(element) ?? [];
  if (kind === undefined) return false;
  const wanted: unknown = JSON.parse(text);
  if (kind === "v") return equal(wanted, item);
  return isFields(wanted) && isFields(item) && Object.entries(wanted).every(([name, key]) => equal(item[name], key));
}

function nodeAt(set: FieldSet, element: string): FieldSet | undefined {
  const node = Object.hasOwn(set, element) ? set[element] : undefined;
  return isNode(node) ? node : undefined;
}

function isNode(node: Json | undefined): node is FieldSet {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}

function isEmpty(node: Fields): boolean {
  return Object.keys(node).length === 0;
}

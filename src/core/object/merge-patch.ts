import { callNested, runNested, type Nested } from "../recursion/index.ts";
import { equal } from "./equal.ts";
import { isFields, type Fields } from "./field.ts";
import { ownField, setField, type MutableFields } from "./plain-object.ts";

/**
 * Applies a JSON merge patch (RFC 7386): objects are merged, null deletes, everything else replaces. Nothing is
 * mutated, and the result shares what the patch does not touch.
 *
 * As in the API server, nulls are also dropped from objects inside a list, unless the list replaces an object.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  return runNested(merged(document, patch));
}

function* merged(document: unknown, patch: unknown): Nested<unknown> {
  if (!isFields(patch)) return isFields(document) ? patch : yield* withoutNulls(patch);
  if (!isFields(document)) return yield* withoutNulls(patch);
  const fields: MutableFields = { ...document };
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined) continue;
    if (value === null) delete fields[key];
    else setField(fields, key, yield* callNested(mergedValue(ownField(document, key), value)));
  }
  return fields;
}

function* mergedValue(current: unknown, value: unknown): Nested<unknown> {
  if (current === undefined || current === null || !isFields(current)) return yield* withoutNulls(value);
  return isFields(value) ? yield* merged(current, value) : value;
}

function* withoutNulls(value: unknown): Nested<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(yield* callNested(withoutNulls(item)));
    return items;
  }
  if (!isFields(value)) return value;
  const kept: MutableFields = {};
  for (const [key, item] of Object.entries(value))
    if (item !== null && item !== undefined) setField(kept, key, yield* callNested(withoutNulls(item)));
  return kept;
}

/**
 * Computes the merge patch from `from` to `to`. Empty when they are equal. A merge patch cannot express a null in `to`:
 * it becomes a missing key.
 */
export function mergePatchBetween(from: Fields, to: Fields): Fields {
  return runNested(patchBetween(from, to));
}

function* patchBetween(from: Fields, to: Fields): Nested<Fields> {
  const patch: MutableFields = {};
  for (const key of Object.keys(from)) if (from[key] !== undefined && ownField(to, key) === undefined) setField(patch, key, null);
  for (const [key, wanted] of Object.entries(to)) {
    if (wanted === undefined) continue;
    const found = ownField(from, key);
    if (equal(found, wanted)) continue;
    setField(patch, key, isFields(found) && isFields(wanted) ? yield* callNested(patchBetween(found, wanted)) : wanted);
  }
  return patch;
}

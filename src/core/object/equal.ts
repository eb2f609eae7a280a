import { isExactInteger } from "./exact-integer.ts";
import { setField, type MutableFields } from "./plain-object.ts";

/**
 * Whether two JSON values are equal. The order of keys does not matter, the order of lists does. An undefined key
 * counts as absent, as for JSON.stringify.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && equalLists(a, b);
  return !Array.isArray(b) && equalFields(a as MutableFields, b as MutableFields);
}

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!equal(a[at], b[at])) return false;
  return true;
}

function equalFields(a: MutableFields, b: MutableFields): boolean {
  let left = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key])) return false;
    left++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) left--;
  return left === 0;
}

/** A deep copy of a JSON value. Undefined keys are left out. */
export function clone<T>(value: T): T {
  return copy(value) as T;
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = Array.from({ length: value.length });
    for (let at = 0; at < value.length; at++) list[at] = copy(value[at]);
    return list;
  }
  const from = value as MutableFields;
  const keys = Object.keys(from);
  if (keys.length === 1 && isExactInteger(value)) return value;
  const fields: MutableFields = {};
  for (const key of keys) if (from[key] !== undefined) setField(fields, key, copy(from[key]));
  return fields;
}

import { isExactInteger } from "./exact-integer.ts";
import { setField, type MutableFields } from "./plain-object.ts";

/**
 * Whether two JSON values are equal. The order of keys does not matter, the order of lists does. An undefined key
 * counts as absent, as for JSON.stringify.
 */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  // Values and their counterparts in turn. They may be nested deeper than the stack allows.
  const pending: object[] = [a, b];
  while (pending.length > 0) {
    const [other, one] = [pending.pop()!, pending.pop()!];
    if (Array.isArray(one) ? !(Array.isArray(other) && areAlikeLists(one, other, pending)) : Array.isArray(other)) return false;
    if (!Array.isArray(one) && !areAlikeFields(one as MutableFields, other as MutableFields, pending)) return false;
  }
  return true;
}

/** Whether two values are equal but for what they contain, which is pending. */
function isAlike(a: unknown, b: unknown, pending: object[]): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  pending.push(a, b);
  return true;
}

function areAlikeLists(a: readonly unknown[], b: readonly unknown[], pending: object[]): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (!isAlike(a[at], b[at], pending)) return false;
  return true;
}

function areAlikeFields(a: MutableFields, b: MutableFields, pending: object[]): boolean {
  let left = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !isAlike(a[key], b[key], pending)) return false;
    left++;
  }
  for (const key of Object.keys(b)) if (b[key] !== undefined) left--;
  return left === 0;
}

/** A deep copy of a JSON value. Undefined keys are left out. */
export function clone<T>(value: T): T {
  return copy(value) as T;
}

/** A collection, and its copy, which is still empty. */
type OpenCopy = { readonly from: object; readonly to: unknown[] | MutableFields };

function copy(value: unknown): unknown {
  const open: OpenCopy[] = [];
  const whole = opened(value, open);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { from, to } = next;
    if (Array.isArray(to)) for (const item of from as readonly unknown[]) to.push(opened(item, open));
    else {
      const fields = from as MutableFields;
      for (const key of Object.keys(fields)) if (fields[key] !== undefined) setField(to, key, opened(fields[key], open));
    }
  }
  return whole;
}

/** A copy of the value. What a collection contains is still open. */
function opened(value: unknown, open: OpenCopy[]): unknown {
  if (typeof value !== "object" || value === null || isExactInteger(value)) return value;
  const to: unknown[] | MutableFields = Array.isArray(value) ? [] : {};
  open.push({ from: value, to });
  return to;
}

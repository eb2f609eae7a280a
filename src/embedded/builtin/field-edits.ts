import { isFields, type Fields } from "../../core/object/index.ts";

/** A field that is nil in Go: absent, or null on the wire. */
export function isUnset(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** `fields` with missing ones set from `defaults`; undefined defaults are skipped. The same object when nothing is missing. */
export function filled<T extends Fields>(fields: T, defaults: Fields): T {
  const missing = Object.entries(defaults).filter(([name, value]) => isUnset(fields[name]) && value !== undefined);
  return missing.length === 0 ? fields : { ...fields, ...Object.fromEntries(missing) };
}

/** `fields` with one field set, or removed when the value is undefined. */
export function withField<T extends Fields>(fields: T, name: string, value: unknown): T {
  if (fields[name] === value) return fields;
  return value === undefined ? withoutFields(fields, name) : { ...fields, [name]: value };
}

export function withoutFields<T extends Fields>(fields: T, ...names: readonly string[]): T {
  if (!names.some((name) => Object.hasOwn(fields, name))) return fields;
  const kept = Object.entries(fields).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as T;
}

/** `fields` with the object in field `name` changed; the same when there is none. */
export function changed<T extends Fields>(fields: T, name: string, change: (value: Fields) => Fields): T {
  const value = fields[name];
  return isFields(value) ? withField(fields, name, change(value)) : fields;
}

/** `fields` with every object of the list in field `name` changed. */
export function changedItems<T extends Fields>(fields: T, name: string, change: (value: Fields) => Fields): T {
  const items = fields[name];
  if (!Array.isArray(items)) return fields;
  const results = items.map((item) => (isFields(item) ? change(item) : item));
  return results.every((item, index) => item === items[index]) ? fields : { ...fields, [name]: results };
}

/** Memoizes an idempotent change: its results are not changed again. This is safe because objects are immutable. */
export function oncePerValue<T extends object>(change: (value: T) => T): (value: T) => T {
  const settled = new WeakSet<object>();
  return (value) => {
    if (settled.has(value)) return value;
    const result = change(value);
    settled.add(result);
    return result;
  };
}

/** Whether two JSON values are the same; an absent field and one that is undefined are. */
export function isDeepEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isDeepEqual(item, b[index]));
  if (!isFields(a) || !isFields(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isDeepEqual(a[name], b[name]));
}

/** Models apimachinery equality.Semantic: nothing, null, an empty list and an empty map are one. */
export function isSemanticDeepEqual(a: unknown, b: unknown): boolean {
  if (isEmptyValue(a) && isEmptyValue(b)) return true;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => isSemanticDeepEqual(item, b[index]));
  if (!isFields(a) || !isFields(b)) return a === b;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].every((name) => isSemanticDeepEqual(a[name], b[name]));
}

function isEmptyValue(value: unknown): boolean {
  if (isUnset(value)) return true;
  return Array.isArray(value) ? value.length === 0 : isFields(value) && Object.keys(value).length === 0;
}

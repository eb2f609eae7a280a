import { typeName } from "./inspect.ts";
import { GoList, anyList } from "./list.ts";
import { GoMap } from "./map.ts";
import { Integer, GoScalar } from "./number.ts";
import { GoStruct, Pointer } from "./object.ts";
import { types } from "./parse-type.ts";
import type { GoValue } from "./value.ts";

/**
 * Converts JSON as Go's encoding/json does: objects become `map[string]interface {}`, arrays `[]interface {}`, numbers float64.
 * Reads own properties only.
 */
export function fromPlain(json: unknown): GoValue {
  const pending: Pending[] = [];
  const value = begun(json, pending);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { source, collection } = next;
    if (collection instanceof GoMap) for (const [key, element] of Object.entries(source)) collection.set(key, begun(element, pending));
    else if (Array.isArray(source)) for (const item of source) collection.push(begun(item, pending));
  }
  return value;
}

/** A collection whose elements are yet to be converted. They may be nested deeper than the stack allows. */
type Pending = { readonly source: object; readonly collection: GoMap | GoValue[] };

/** The value of JSON. Elements of a collection follow. */
function begun(json: unknown, pending: Pending[]): GoValue {
  if (json === null || json === undefined) return null;
  if (typeof json === "string" || typeof json === "number" || typeof json === "boolean") return json;
  if (typeof json !== "object") throw new TypeError(`not JSON: ${typeof json}`);
  if (!Array.isArray(json)) {
    const map = new GoMap(types.anyMap);
    pending.push({ source: json, collection: map });
    return map;
  }
  const items: GoValue[] = [];
  pending.push({ source: json, collection: items });
  return anyList(items);
}

/**
 * Converts a value to JSON. Keys become own properties, `__proto__` included; `[]byte` becomes base64; structs have their
 * exported fields. Integers beyond the safe range are bigints.
 */
export function toPlain(value: GoValue): unknown {
  const unfilled: Unfilled[] = [];
  const plain = plainOf(value, unfilled);
  for (let next = unfilled.pop(); next !== undefined; next = unfilled.pop()) {
    if ("items" in next) for (const item of next.items) next.list.push(plainOf(item, unfilled));
    else for (const [key, element] of next.entries) define(next.object, key, plainOf(element, unfilled));
  }
  return plain;
}

/** Lists and objects that get their elements later: values are nested up to 10,000 deep, which is too deep for recursion. */
type Unfilled =
  | { readonly list: unknown[]; readonly items: readonly GoValue[] }
  | { readonly object: Record<string, unknown>; readonly entries: Iterable<readonly [string, GoValue]> };

function plainOf(value: GoValue, unfilled: Unfilled[]): unknown {
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value;
  if (value instanceof GoMap) return value.isNil ? null : plainObject(namedEntries(value), unfilled);
  if (value instanceof GoList) return value.isNil ? null : plainList(value.items, unfilled);
  if (value instanceof Integer || value instanceof GoScalar) return value.value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Pointer) return plainOf(value.target, unfilled);
  if (value instanceof GoStruct) return plainObject(exportedFields(value), unfilled);
  throw new TypeError(`no JSON for a value of type ${typeName(value)}`);
}

function plainList(items: readonly GoValue[], unfilled: Unfilled[]): unknown {
  const list: unknown[] = [];
  unfilled.push({ list, items });
  return list;
}

function plainObject(entries: Iterable<readonly [string, GoValue]>, unfilled: Unfilled[]): unknown {
  const object: Record<string, unknown> = {};
  unfilled.push({ object, entries });
  return object;
}

function namedEntries(map: GoMap): Iterable<readonly [string, GoValue]> {
  return Array.from(map.sortedEntries(), ([key, element]) => [String(toPlain(key)), element] as const);
}

function exportedFields(struct: GoStruct): Iterable<readonly [string, GoValue]> {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return exported.map(({ name }) => [name, struct.field(name)] as const);
}

/** Sets a property of its own, whatever its name is. */
function define(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

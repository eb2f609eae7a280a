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
  if (value === undefined || value === null) return null;
  if (typeof value !== "object") return value;
  if (value instanceof GoMap) return value.isNil ? null : plainObject(value);
  if (value instanceof GoList) return value.isNil ? null : value.items.map(toPlain);
  if (value instanceof Integer || value instanceof GoScalar) return value.value;
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  if (value instanceof Pointer) return toPlain(value.target);
  if (value instanceof GoStruct) return plainStruct(value);
  throw new TypeError(`no JSON for a value of type ${typeName(value)}`);
}

function plainObject(map: GoMap): unknown {
  return ownProperties(Array.from(map.sortedEntries(), ([key, element]) => [String(toPlain(key)), toPlain(element)]));
}

function plainStruct(struct: GoStruct): unknown {
  const exported = (struct.type.fields ?? []).filter(({ name }) => /^\p{Lu}/u.test(name));
  return ownProperties(exported.map(({ name }) => [name, toPlain(struct.field(name))] as const));
}

function ownProperties(entries: Iterable<readonly [string, unknown]>): unknown {
  // Object.fromEntries defines own properties, so `__proto__` is an ordinary key.
  return Object.fromEntries(entries);
}

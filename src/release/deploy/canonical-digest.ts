import { createHash } from "node:crypto";
import { isExactInteger, isFields } from "../../core/object/index.ts";

/** A digest of a JSON value that does not depend on the order of keys: two reads of an object may differ in it. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value, inKeyOrder)).digest("hex");
}

function inKeyOrder(_key: string, value: unknown): unknown {
  if (!isFields(value) || isExactInteger(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

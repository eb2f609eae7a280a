import { isFields, type Fields } from "./field.ts";

/** An object under construction. Callers see it as readonly Fields. */
export type MutableFields = { [key: string]: unknown };

/** Sets a key of unknown origin. A plain assignment to `__proto__` would change the prototype. Here it is data like any other key. */
export function setField(target: MutableFields, key: string, value: unknown): void {
  if (key === "__proto__") Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  else target[key] = value;
}

/** The value of an own key. Undefined for inherited ones. */
export function ownField(object: Fields, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The JSON type of a value, in the words of the JSON specification. */
export function jsonTypeOf(value: unknown): "null" | "array" | "object" | "string" | "number" | "boolean" {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (isFields(value)) return "object";
  if (typeof value === "string") return "string";
  return typeof value === "boolean" ? "boolean" : "number";
}

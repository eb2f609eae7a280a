import { GoList, GoMap, type GoValue } from "../../lang/template/index.ts";
import { amountOf } from "./number.ts";

export type JsonType = "null" | "boolean" | "number" | "string" | "array" | "object";

/** The order in which the library names types. */
export const typeNames = ["null", "boolean", "number", "integer", "string", "array", "object"] as const;

export function valueTypeOf(value: GoValue): JsonType | undefined {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "boolean";
  if (value instanceof GoMap) return "object";
  if (value instanceof GoList) return "array";
  return amountOf(value) === undefined ? undefined : "number";
}

/** Compares JSON values: numbers by amount, maps in any order. */
export function isEqual(one: GoValue, other: GoValue): boolean {
  if (one instanceof GoMap) {
    if (!(other instanceof GoMap) || one.size !== other.size) return false;
    for (const [key, element] of one) if (!other.has(key) || !isEqual(element, other.get(key))) return false;
    return true;
  }
  if (one instanceof GoList) {
    return other instanceof GoList && one.length === other.length && one.items.every((item, index) => isEqual(item, other.items[index]));
  }
  const amount = amountOf(one);
  return amount === undefined ? one === other : amount === amountOf(other);
}

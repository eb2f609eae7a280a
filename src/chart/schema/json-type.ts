import { charge } from "../../core/cost/index.ts";
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

/** A comparison, as it takes time. */
const costOfComparison = 32;

/** Compares JSON values: numbers by amount, maps in any order. */
export function isEqual(one: GoValue, other: GoValue): boolean {
  charge(typeof one === "string" ? costOfComparison + (one.length >> 3) : costOfComparison);
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

/** A text that equal values have in common, and no others. */
export function identityOf(value: GoValue): string {
  charge(costOfComparison + (typeof value === "string" ? value.length : 0));
  if (value instanceof GoMap)
    return `{${value
      .sortedKeys()
      .map((key) => `${JSON.stringify(key)}:${identityOf(value.get(key))}`)
      .join()}}`;
  if (value instanceof GoList) return `[${value.items.map(identityOf).join()}]`;
  return amountOf(value) === undefined ? JSON.stringify(value ?? null) : String(amountOf(value));
}

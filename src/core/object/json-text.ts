import { isExactInteger } from "./exact-integer.ts";
import type { MutableFields } from "./plain-object.ts";

/** A collection that is being written. */
type OpenCollection = { readonly value: readonly unknown[] | MutableFields; readonly keys: readonly string[] | undefined; at: number };

/**
 * JSON as `JSON.stringify` writes it, with `indent` spaces for each level. What is undefined is null. That one ends with the stack at
 * some thousand levels; what is deeper is written here.
 */
export function jsonText(value: unknown, indent = 0): string {
  try {
    return JSON.stringify(value ?? null, undefined, indent);
  } catch (error) {
    if (!isStackOverflow(error) || typeof value !== "object" || value === null) throw error;
    return deepJsonText(value, indent);
  }
}

/** Whether something was nested deeper than the stack allows. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

function deepJsonText(whole: object, indent: number): string {
  const outermost = opened(whole);
  const open = [outermost];
  let out = "";
  const lineBreak = () => (indent === 0 ? "" : `\n${" ".repeat(indent * open.length)}`);
  for (let inner: OpenCollection | undefined = outermost; inner !== undefined; inner = open.at(-1)) {
    const { value, keys, at } = inner;
    const [opening, closing] = Array.isArray(value) ? "[]" : "{}";
    if (at === 0) out += opening;
    const size = keys === undefined ? (value as readonly unknown[]).length : keys.length;
    if (at === size) {
      open.pop();
      out += (size === 0 ? "" : lineBreak()) + closing;
      continue;
    }
    out += (at === 0 ? "" : ",") + lineBreak();
    if (keys !== undefined) out += `${JSON.stringify(keys[at])}:${indent === 0 ? "" : " "}`;
    inner.at++;
    const part = keys === undefined ? (value as readonly unknown[])[at] : (value as MutableFields)[keys[at]!];
    if (typeof part === "object" && part !== null && !isExactInteger(part)) open.push(opened(part));
    else out += JSON.stringify(part ?? null);
  }
  return out;
}

function opened(value: object): OpenCollection {
  if (Array.isArray(value)) return { value, keys: undefined, at: 0 };
  const fields = value as MutableFields;
  return { value: fields, keys: Object.keys(fields).filter((key) => fields[key] !== undefined), at: 0 };
}

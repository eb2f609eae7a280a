import { ListValue, MapValue, Optional, type CelValue } from "./value.ts";

/** The length of a string in code points. */
export function codePointCount(text: string): number {
  let pairs = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      pairs++;
      index++;
    }
  }
  return text.length - pairs;
}

/** The size that costs are computed from. */
export function sizeOf(value: CelValue | undefined): number {
  if (typeof value === "string") return codePointCount(value);
  if (value instanceof ListValue || value instanceof MapValue) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof Optional && value.value !== undefined) return sizeOf(value.value);
  return 1;
}

/** The cost of traversing a string of this size once. */
export function traversal(size: number): number {
  return Math.ceil(size * 0.1);
}

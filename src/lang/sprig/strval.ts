import { fromBytes, sprintValue, type GoValue } from "../template/index.ts";

/** A value as text: bytes as the string they are, everything else as it prints. */
export function strval(value: GoValue): string {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? fromBytes(value) : sprintValue(value);
}

/** Can the text stand between backquotes in Go's source? Models strconv.CanBackquote. */
export function canBackquote(text: string): boolean {
  return text.isWellFormed() && !text.includes("`") && !text.includes("\ufeff") && !hasControl(text.replaceAll("\t", " "));
}

/** Is there a character below the space, or the one above all of ASCII's others? */
export function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) return true;
  }
  return false;
}

import { fromBytes, sprintValue, type GoValue } from "../template/index.ts";

/** Sprig's strval: bytes are a string, and every other value is printed. */
export function strval(value: GoValue): string {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? fromBytes(value) : sprintValue(value);
}

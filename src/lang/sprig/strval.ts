import { fromBytes, sprintValue, type GoValue } from "../template/index.ts";

/** A value as text: bytes as the string they are, everything else as it prints. */
export function strval(value: GoValue): string {
  if (typeof value === "string") return value;
  return value instanceof Uint8Array ? fromBytes(value) : sprintValue(value);
}

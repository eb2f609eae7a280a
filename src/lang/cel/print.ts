import { printDouble } from "./print-double.ts";
import { printDuration, printTimestamp } from "./time.ts";
import { CelDuration, ListValue, Opaque, Optional, CelTimestamp, TypeValue, Uint, type MapValue, type CelValue } from "./value.ts";

/** The depth to which messages print values, which may share parts many times. */
const deepest = 4;

/** Prints a value in a message, as Go does. */
export function printValue(value: CelValue, depth = 0): string {
  if (typeof value === "number") return printDouble(value);
  if (typeof value === "object") return depth > deepest ? "…" : printObject(value, depth + 1);
  return String(value);
}

function printObject(value: Extract<CelValue, object> | null, depth: number): string {
  if (value === null) return "null";
  if (value instanceof Uint) return String(value.value);
  if (value instanceof CelTimestamp) return printTimestamp(value);
  if (value instanceof CelDuration) return printDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Opaque) return value.toString();
  if (value instanceof Optional) return value.value === undefined ? "optional.none()" : `optional(${printValue(value.value, depth)})`;
  if (value instanceof ListValue)
    return `[${Array.from({ length: Math.min(value.size, 20) }, (_, index) => printValue(value.at(index), depth)).join(", ")}]`;
  return `{${printEntries(value, depth)}}`;
}

function printEntries(map: MapValue, depth: number): string {
  return map
    .keys()
    .slice(0, 20)
    .map((key) => `${printValue(key, depth)}: ${printValue(map.find(key) ?? null, depth)}`)
    .join(", ");
}

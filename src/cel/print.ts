import { printDouble } from "./number.ts";
import { printDuration, printTimestamp } from "./time.ts";
import { Duration, ListValue, Opaque, Optional, Timestamp, TypeValue, Uint, type MapValue, type Value } from "./value.ts";

/** A value inside of a message, as Go prints it. */
export function printValue(value: Value): string {
  if (typeof value === "number") return printDouble(value);
  if (typeof value === "object") return printObject(value);
  return String(value);
}

function printObject(value: Extract<Value, object> | null): string {
  if (value === null) return "null";
  if (value instanceof Uint) return String(value.value);
  if (value instanceof Timestamp) return printTimestamp(value);
  if (value instanceof Duration) return printDuration(value);
  if (value instanceof TypeValue) return value.name;
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof Opaque) return value.toString();
  if (value instanceof Optional) return value.value === undefined ? "optional.none()" : `optional(${printValue(value.value)})`;
  if (value instanceof ListValue)
    return `[${Array.from({ length: Math.min(value.size, 100) }, (_, index) => printValue(value.at(index))).join(", ")}]`;
  return `{${printEntries(value)}}`;
}

function printEntries(map: MapValue): string {
  return map
    .keys()
    .slice(0, 100)
    .map((key) => `${printValue(key)}: ${printValue(map.find(key) ?? null)}`)
    .join(", ");
}

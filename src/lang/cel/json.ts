import type { Meter } from "./meter.ts";
import { printValue } from "./print.ts";
import { printDuration, printTimestamp } from "./time.ts";
import { CelDuration, ListValue, MapValue, Optional, CelTimestamp, Uint, type CelValue } from "./value.ts";

/**
 * Converts a value to JSON. An integer that a number cannot hold stays a `bigint`, bytes become base64, and an empty optional
 * becomes null. Every part is charged, because a small expression can build an enormous value.
 */
export function celToJson(value: CelValue, meter: Meter): unknown {
  meter.charge(1);
  switch (typeof value) {
    case "bigint":
      return integerJson(value);
    case "string":
    case "number":
    case "boolean":
      return value;
    default:
      return objectJson(value, meter);
  }
}

function integerJson(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function objectJson(value: Extract<CelValue, object> | null, meter: Meter): unknown {
  if (value === null) return null;
  if (value instanceof ListValue) return Array.from({ length: value.size }, (_, index) => celToJson(value.at(index), meter));
  if (value instanceof MapValue) return mapJson(value, meter);
  if (value instanceof Uint) return integerJson(value.value);
  if (value instanceof CelTimestamp) return printTimestamp(value);
  if (value instanceof CelDuration) return printDuration(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.length).toString("base64");
  if (value instanceof Optional) return value.value === undefined ? null : celToJson(value.value, meter);
  return printValue(value);
}

function mapJson(map: MapValue, meter: Meter): unknown {
  // fromEntries defines own properties, so a key such as __proto__ is an ordinary one.
  return Object.fromEntries(map.keys().map((key) => [printValue(key), celToJson(map.find(key) ?? null, meter)]));
}

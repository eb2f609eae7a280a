import { fail } from "./failure.ts";
import type { Meter } from "./meter.ts";
import { CelDuration, ListValue, MapValue, Opaque, Optional, CelTimestamp, TypeValue, Uint, type CelValue } from "./value.ts";

/** Whether two values are equal. Numbers of different types are compared by value; other values of different types are unequal. */
export function celEqual(left: CelValue, right: CelValue, meter: Meter): boolean {
  meter.step();
  if (typeof left === "string" && typeof right === "string" && left.length === right.length) meter.read(left);
  if (typeof left !== "object" && typeof left === typeof right) return left === right;
  const number = numberOf(left);
  if (number !== undefined) {
    const other = numberOf(right);
    return other !== undefined && isSameNumber(number, other);
  }
  if (left instanceof ListValue) return right instanceof ListValue && equalLists(left, right, meter);
  if (left instanceof MapValue) return right instanceof MapValue && equalMaps(left, right, meter);
  return equalObjects(left, right, meter);
}

function numberOf(value: CelValue): number | bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return value;
  return value instanceof Uint ? value.value : undefined;
}

/** An integer that is compared with a double becomes a double, as in cel-go. */
function isSameNumber(left: number | bigint, right: number | bigint): boolean {
  return typeof left === typeof right ? left === right : Number(left) === Number(right);
}

function equalObjects(left: CelValue, right: CelValue, meter: Meter): boolean {
  if (left instanceof CelTimestamp) return right instanceof CelTimestamp && left.nanos === right.nanos;
  if (left instanceof CelDuration) return right instanceof CelDuration && left.nanos === right.nanos;
  if (left instanceof TypeValue) return right instanceof TypeValue && left.name === right.name;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(left, right) === 0;
  if (left instanceof Opaque) return right instanceof Opaque && left.typeName === right.typeName && left.equals(right);
  if (left instanceof Optional) return right instanceof Optional && equalHeld(left.value, right.value, meter);
  return left === right;
}

function equalHeld(left: CelValue | undefined, right: CelValue | undefined, meter: Meter): boolean {
  if (left === undefined || right === undefined) return left === right;
  return celEqual(left, right, meter);
}

function equalLists(left: ListValue, right: ListValue, meter: Meter): boolean {
  if (left.size !== right.size) return false;
  const special = left.equalTo(right, meter);
  if (special !== undefined) return special;
  for (let index = 0; index < left.size; index++) {
    if (!celEqual(left.at(index), right.at(index), meter)) return false;
  }
  return true;
}

function equalMaps(left: MapValue, right: MapValue, meter: Meter): boolean {
  if (left.size !== right.size) return false;
  const special = left.equalTo(right, meter);
  if (special !== undefined) return special;
  return left.keys().every((key) => {
    const [own, other] = [left.find(key), right.find(key)];
    return own !== undefined && other !== undefined && celEqual(own, other, meter);
  });
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(left.length - right.length);
}

/** Compares strings by code point, which is the order of their UTF-8 bytes. */
export function compareCodePoints(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a === b) continue;
    return isSurrogate(a) === isSurrogate(b) ? Math.sign(a - b) : Number(isSurrogate(a)) - Number(isSurrogate(b));
  }
  return Math.sign(left.length - right.length);
}

/** Whether a UTF-16 unit is half of a surrogate pair. */
function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

/** -1, 0 or 1; undefined when values of these types have no order. */
export function celCompare(left: CelValue, right: CelValue): number | undefined {
  if (typeof left === "string") return typeof right === "string" ? compareCodePoints(left, right) : undefined;
  const number = numberOf(left);
  if (number !== undefined) {
    const other = numberOf(right);
    return other === undefined ? undefined : compareNumbers(number, other);
  }
  if (typeof left === "boolean") return typeof right === "boolean" ? Number(left) - Number(right) : undefined;
  if (left instanceof CelTimestamp) return right instanceof CelTimestamp ? compareNumbers(left.nanos, right.nanos) : undefined;
  if (left instanceof CelDuration) return right instanceof CelDuration ? compareNumbers(left.nanos, right.nanos) : undefined;
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? compareBytes(left, right) : undefined;
  return undefined;
}

function compareNumbers(left: number | bigint, right: number | bigint): number {
  if (typeof left !== typeof right) return compareNumbers(Number(left), Number(right));
  if (left < right) return -1;
  if (left > right) return 1;
  return left === right ? 0 : fail("NaN values cannot be ordered");
}

/** Whether values of this type have an order. */
export function hasOrder(value: CelValue): boolean {
  if (typeof value !== "object") return true;
  return value instanceof Uint || value instanceof CelTimestamp || value instanceof CelDuration || value instanceof Uint8Array;
}

import { fail, noSuchOverload } from "./failure.ts";
import { greatestInt, greatestUint, leastInt } from "./literal.ts";
import type { Meter } from "./meter.ts";
import { addDuration, durationOf, timestampOf } from "./time.ts";
import { Duration, Items, ListValue, Timestamp, Uint, type Value } from "./value.ts";

export function int64(value: bigint): bigint {
  return value > greatestInt || value < leastInt ? fail("integer overflow") : value;
}

export function uint64(value: bigint): Uint {
  return value > greatestUint || value < 0n ? fail("unsigned integer overflow") : new Uint(value);
}

export function add(left: Value, right: Value, meter: Meter): Value {
  if (typeof left === "bigint") return typeof right === "bigint" ? int64(left + right) : noSuchOverload();
  if (typeof left === "string") return typeof right === "string" ? concatenate(left, right, meter) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left + right : noSuchOverload();
  if (left instanceof ListValue) return right instanceof ListValue ? concatenateLists(left, right, meter) : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? uint64(left.value + right.value) : noSuchOverload();
  if (left instanceof Timestamp) return right instanceof Duration ? addDuration(left, right.nanos) : noSuchOverload();
  if (left instanceof Duration) return addToDuration(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? concatenateBytes(left, right, meter) : noSuchOverload();
  return fail("no such overload: _+_");
}

function addToDuration(left: Duration, right: Value): Value {
  if (right instanceof Duration) return durationOf(left.nanos + right.nanos);
  return right instanceof Timestamp ? addDuration(right, left.nanos) : noSuchOverload();
}

function concatenate(left: string, right: string, meter: Meter): string {
  meter.admit(left.length + right.length);
  return left + right;
}

function concatenateBytes(left: Uint8Array, right: Uint8Array, meter: Meter): Uint8Array {
  meter.admit(left.length + right.length);
  const joined = new Uint8Array(left.length + right.length);
  joined.set(left);
  joined.set(right, left.length);
  return joined;
}

function concatenateLists(left: ListValue, right: ListValue, meter: Meter): ListValue {
  meter.admit(left.size + right.size);
  return left.plus(right, meter) ?? new Items([...itemsOf(left), ...itemsOf(right)]);
}

export function itemsOf(list: ListValue): readonly Value[] {
  return list instanceof Items ? list.items : Array.from({ length: list.size }, (_, index) => list.at(index));
}

export function subtract(left: Value, right: Value): Value {
  if (typeof left === "bigint") return typeof right === "bigint" ? int64(left - right) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left - right : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? uint64(left.value - right.value) : noSuchOverload();
  if (left instanceof Duration) return right instanceof Duration ? durationOf(left.nanos - right.nanos) : noSuchOverload();
  if (!(left instanceof Timestamp)) return unsupported(left, "_-_");
  if (right instanceof Timestamp) return durationOf(left.nanos - right.nanos);
  return right instanceof Duration ? timestampOf(left.nanos - right.nanos) : noSuchOverload();
}

/** Values that have some operators are told so in fewer words. */
function unsupported(left: Value, operator: string): never {
  return typeof left === "string" ? noSuchOverload() : fail(`no such overload: ${operator}`);
}

export function multiply(left: Value, right: Value): Value {
  if (typeof left === "bigint") return typeof right === "bigint" ? int64(left * right) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left * right : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_*_");
  return right instanceof Uint ? uint64(left.value * right.value) : noSuchOverload();
}

export function divide(left: Value, right: Value): Value {
  if (typeof left === "number") return typeof right === "number" ? left / right : noSuchOverload();
  if (typeof left === "bigint") return typeof right === "bigint" ? int64(left / divisor(right, "division")) : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_/_");
  return right instanceof Uint ? uint64(left.value / divisor(right.value, "division")) : noSuchOverload();
}

export function modulo(left: Value, right: Value): Value {
  if (typeof left === "bigint") return typeof right === "bigint" ? remainder(left, right) : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_%_");
  return right instanceof Uint ? uint64(left.value % divisor(right.value, "modulus")) : noSuchOverload();
}

function remainder(left: bigint, right: bigint): bigint {
  // As in Go, where the division that goes with it overflows.
  if (left === leastInt && right === -1n) return fail("integer overflow");
  return left % divisor(right, "modulus");
}

function divisor(value: bigint, what: string): bigint {
  return value === 0n ? fail(`${what} by zero`) : value;
}

export function negate(value: Value): Value {
  if (typeof value === "bigint") return int64(-value);
  if (typeof value === "number") return -value;
  return value instanceof Uint || value instanceof ListValue ? fail("no such overload: -_") : noSuchOverload();
}

import { fail, noSuchOverload } from "./failure.ts";
import { maxInt, maxUint, minInt } from "./literal.ts";
import type { Meter } from "./meter.ts";
import { addDuration, checkedDuration, checkedTimestamp } from "./time.ts";
import { CelDuration, Items, ListValue, CelTimestamp, Uint, type CelValue } from "./value.ts";

export function checkedInt64(value: bigint): bigint {
  return value > maxInt || value < minInt ? fail("integer overflow") : value;
}

function checkedUint64(value: bigint): Uint {
  return value > maxUint || value < 0n ? fail("unsigned integer overflow") : new Uint(value);
}

export function celAdd(left: CelValue, right: CelValue, meter: Meter): CelValue {
  if (typeof left === "bigint") return typeof right === "bigint" ? checkedInt64(left + right) : noSuchOverload();
  if (typeof left === "string") return typeof right === "string" ? concatenate(left, right, meter) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left + right : noSuchOverload();
  if (left instanceof ListValue) return right instanceof ListValue ? concatenateLists(left, right, meter) : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? checkedUint64(left.value + right.value) : noSuchOverload();
  if (left instanceof CelTimestamp) return right instanceof CelDuration ? addDuration(left, right.nanos) : noSuchOverload();
  if (left instanceof CelDuration) return addToDuration(left, right);
  if (left instanceof Uint8Array) return right instanceof Uint8Array ? concatenateBytes(left, right, meter) : noSuchOverload();
  return fail("no such overload: _+_");
}

function addToDuration(left: CelDuration, right: CelValue): CelValue {
  if (right instanceof CelDuration) return checkedDuration(left.nanos + right.nanos);
  return right instanceof CelTimestamp ? addDuration(right, left.nanos) : noSuchOverload();
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
  return left.plus(right, meter) ?? new Items([...listElements(left), ...listElements(right)]);
}

export function listElements(list: ListValue): readonly CelValue[] {
  return list instanceof Items ? list.items : Array.from({ length: list.size }, (_, index) => list.at(index));
}

export function celSubtract(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "bigint") return typeof right === "bigint" ? checkedInt64(left - right) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left - right : noSuchOverload();
  if (left instanceof Uint) return right instanceof Uint ? checkedUint64(left.value - right.value) : noSuchOverload();
  if (left instanceof CelDuration) return right instanceof CelDuration ? checkedDuration(left.nanos - right.nanos) : noSuchOverload();
  if (!(left instanceof CelTimestamp)) return unsupported(left, "_-_");
  if (right instanceof CelTimestamp) return checkedDuration(left.nanos - right.nanos);
  return right instanceof CelDuration ? checkedTimestamp(left.nanos - right.nanos) : noSuchOverload();
}

/** cel-go leaves the operator out of the message for types that implement some operators. */
function unsupported(left: CelValue, operator: string): never {
  return typeof left === "string" ? noSuchOverload() : fail(`no such overload: ${operator}`);
}

export function celMultiply(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "bigint") return typeof right === "bigint" ? checkedInt64(left * right) : noSuchOverload();
  if (typeof left === "number") return typeof right === "number" ? left * right : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_*_");
  return right instanceof Uint ? checkedUint64(left.value * right.value) : noSuchOverload();
}

export function celDivide(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "number") return typeof right === "number" ? left / right : noSuchOverload();
  if (typeof left === "bigint") return typeof right === "bigint" ? checkedInt64(left / divisor(right, "division")) : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_/_");
  return right instanceof Uint ? checkedUint64(left.value / divisor(right.value, "division")) : noSuchOverload();
}

export function celModulo(left: CelValue, right: CelValue): CelValue {
  if (typeof left === "bigint") return typeof right === "bigint" ? remainder(left, right) : noSuchOverload();
  if (!(left instanceof Uint)) return unsupported(left, "_%_");
  return right instanceof Uint ? checkedUint64(left.value % divisor(right.value, "modulus")) : noSuchOverload();
}

function remainder(left: bigint, right: bigint): bigint {
  // Go reports an overflow here because the matching division overflows.
  if (left === minInt && right === -1n) return fail("integer overflow");
  return left % divisor(right, "modulus");
}

function divisor(value: bigint, what: string): bigint {
  return value === 0n ? fail(`${what} by zero`) : value;
}

export function celNegate(value: CelValue): CelValue {
  if (typeof value === "bigint") return checkedInt64(-value);
  if (typeof value === "number") return -value;
  return value instanceof Uint || value instanceof ListValue ? fail("no such overload: -_") : noSuchOverload();
}

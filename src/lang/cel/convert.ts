import { checkedInt64 } from "./arithmetic.ts";
import { fail } from "./failure.ts";
import { maxInt, maxUint, minInt } from "./literal.ts";
import { printDouble } from "./print-double.ts";
import { checkedDuration, parseCelDuration, parseTimestamp, printDuration, printTimestamp, checkedTimestamp } from "./time.ts";
import { CelDuration, CelTimestamp, typeNameOf, Uint, type CelValue } from "./value.ts";

function cannot(from: CelValue, to: string): never {
  return fail(`type conversion error from '${typeNameOf(from)}' to '${to}'`);
}

export function convertToInt(value: CelValue): bigint {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return doubleToInt(value);
  if (value instanceof Uint) return checkedInt64(value.value);
  if (value instanceof CelTimestamp) return floorSeconds(value.nanos);
  if (value instanceof CelDuration) return value.nanos;
  return typeof value === "string" ? (parseInteger(value, minInt, maxInt) ?? cannot(value, "int")) : cannot(value, "int");
}

function floorSeconds(nanos: bigint): bigint {
  const whole = nanos / 1_000_000_000n;
  return nanos < 0n && nanos % 1_000_000_000n !== 0n ? whole - 1n : whole;
}

/** The next larger double lies outside int64. */
function doubleToInt(value: number): bigint {
  return Number.isFinite(value) && value > -(2 ** 63) && value < 2 ** 63 ? BigInt(Math.trunc(value)) : fail("integer overflow");
}

function parseInteger(text: string, least: bigint, greatest: bigint): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = text.startsWith("-") ? -BigInt(text.slice(1)) : BigInt(text.replace("+", ""));
  return value < least || value > greatest ? undefined : value;
}

export function convertToUint(value: CelValue): Uint {
  if (value instanceof Uint) return value;
  if (typeof value === "bigint") return value < 0n ? fail("unsigned integer overflow") : new Uint(value);
  if (typeof value === "number") {
    const isUint = Number.isFinite(value) && value >= 0 && value < 2 ** 64;
    return isUint ? new Uint(BigInt(Math.trunc(value))) : fail("unsigned integer overflow");
  }
  if (typeof value !== "string" || !/^\d+$/.test(value)) return cannot(value, "uint");
  return new Uint(parseInteger(value, 0n, maxUint) ?? cannot(value, "uint"));
}

export function convertToDouble(value: CelValue): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Uint) return Number(value.value);
  return typeof value === "string" ? (parseDouble(value) ?? cannot(value, "double")) : cannot(value, "double");
}

const special: Readonly<Record<string, number>> = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, infinity: Number.POSITIVE_INFINITY };

function parseDouble(text: string): number | undefined {
  const unsigned = text.replace(/^[+-]/, "");
  const named = special[unsigned.toLowerCase()];
  if (named !== undefined) return text.startsWith("-") ? -named : named;
  if (!/^(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(unsigned)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function convertToString(value: CelValue): string {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (typeof value === "number") return printDouble(value);
  if (value instanceof Uint) return String(value.value);
  if (value instanceof CelTimestamp) return printTimestamp(value);
  if (value instanceof CelDuration) return printDuration(value);
  return value instanceof Uint8Array ? decode(value) : cannot(value, "string");
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // TextDecoder throws for bytes that are not UTF-8.
    return fail("invalid UTF-8 in bytes, cannot convert to string");
  }
}

export function convertToBytes(value: CelValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return typeof value === "string" ? new TextEncoder().encode(value) : cannot(value, "bytes");
}

/** The spellings that Go's strconv.ParseBool accepts. */
const truths: Readonly<Record<string, boolean>> = {
  "1": true,
  t: true,
  T: true,
  true: true,
  TRUE: true,
  True: true,
  "0": false,
  f: false,
  F: false,
  false: false,
  FALSE: false,
  False: false,
};

export function convertToBool(value: CelValue): boolean {
  if (typeof value === "boolean") return value;
  const truth = typeof value === "string" && Object.hasOwn(truths, value) ? truths[value] : undefined;
  return truth ?? cannot(value, "bool");
}

export function convertToTimestamp(value: CelValue): CelTimestamp {
  if (value instanceof CelTimestamp) return value;
  if (typeof value === "bigint") return checkedTimestamp(value * 1_000_000_000n);
  const parsed = typeof value === "string" ? parseTimestamp(value) : undefined;
  return parsed === undefined ? cannot(value, "google.protobuf.Timestamp") : checkedTimestamp(parsed.nanos);
}

export function convertToDuration(value: CelValue): CelDuration {
  if (value instanceof CelDuration) return value;
  if (typeof value === "bigint") return checkedDuration(value);
  const parsed = typeof value === "string" ? parseCelDuration(value) : undefined;
  return parsed ?? cannot(value, "google.protobuf.Duration");
}

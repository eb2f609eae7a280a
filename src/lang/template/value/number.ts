import { types } from "./parse-type.ts";
import type { ReflectType, IntegerKind } from "./reflect-type.ts";

const widths: Readonly<Record<IntegerKind, number>> = {
  int: 64,
  int8: 8,
  int16: 16,
  int32: 32,
  int64: 64,
  uint: 64,
  uint8: 8,
  uint16: 16,
  uint32: 32,
  uint64: 64,
  uintptr: 64,
};

/**
 * A Go integer of any integer type. `float64` is the JavaScript number. Immutable. `value` is a number in the safe range and a
 * bigint beyond it, so `===` on `value` compares amounts.
 */
export class Integer {
  readonly type: ReflectType;
  readonly value: number | bigint;

  constructor(type: ReflectType, value: number | bigint) {
    this.type = type;
    this.value = typeof value === "bigint" && isSafe(value) ? Number(value) : value;
  }

  /** The amount as a bigint, for arithmetic that may leave the safe range. */
  get big(): bigint {
    return BigInt(this.value);
  }
}

function isSafe(value: bigint): boolean {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

const smallest = -1;
const small: readonly Integer[] = Array.from({ length: 1026 }, (_, index) => new Integer(types.int, index + smallest));

/** A Go `int`. The amount must fit 64 bits; `wrapInteger` is for arithmetic that may overflow. */
export function int(value: number | bigint): Integer {
  return small[Number(value) - smallest] ?? new Integer(types.int, value);
}

/** A Go `int64`. */
export function int64(value: number | bigint): Integer {
  return new Integer(types.int64, value);
}

/** An integer of a type, wrapped around at its width as in Go's arithmetic and conversions. */
export function wrapInteger(type: ReflectType, value: number | bigint): Integer {
  const width = widths[integerKind(type)];
  if (typeof value === "number" && width === 64 && value >= 0 && Number.isSafeInteger(value)) return new Integer(type, value);
  const exact = BigInt(value);
  return new Integer(type, isUnsigned(type) ? BigInt.asUintN(width, exact) : BigInt.asIntN(width, exact));
}

/** Whether a type is an integer type. */
export function isInteger(type: ReflectType): boolean {
  return Object.hasOwn(widths, type.kind);
}

/** Whether a type is an unsigned integer type. */
export function isUnsigned(type: ReflectType): boolean {
  return type.kind.startsWith("uint");
}

function integerKind(type: ReflectType): IntegerKind {
  if (!isIntegerKind(type.kind)) throw new TypeError(`${type.name} is no integer type`);
  return type.kind;
}

function isIntegerKind(kind: string): kind is IntegerKind {
  return Object.hasOwn(widths, kind);
}

/** A complex number. */
export class Complex {
  readonly type: ReflectType;
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number, type: ReflectType = types.complex128) {
    this.type = type;
    this.real = real;
    this.imaginary = imaginary;
  }
}

/** A bool, string or float of a type other than `bool`, `string` and `float64`: a named type, or `float32`. */
export class GoScalar {
  readonly type: ReflectType;
  readonly value: boolean | string | number;

  constructor(type: ReflectType, value: boolean | string | number) {
    this.type = type;
    this.value = type.kind === "float32" ? Math.fround(Number(value)) : value;
  }
}

import { declare, global, member, takes, type Cost, type FunctionDeclaration } from "../declaration.ts";
import { fail } from "../failure.ts";
import { maxInt, minInt } from "../literal.ts";
import { sizeOf, traversal } from "../size.ts";
import { boolType, doubleType, intType, opaqueType } from "../type.ts";
import { Opaque, type CelValue } from "../value.ts";

type Notation = "decimal" | "exponent" | "binary";

/**
 * An amount: `unscaled` times ten to the power of `scale`. Models apimachinery pkg/api/resource/quantity.go, which keeps amounts
 * of up to 64 bits in a separate form; only those can be converted to integers.
 */
class CelQuantity extends Opaque {
  readonly typeName = "kubernetes.Quantity";
  readonly unscaled: bigint;
  readonly scale: number;
  readonly isSmall: boolean;
  readonly notation: Notation;

  constructor(unscaled: bigint, scale: number, isSmall: boolean, notation: Notation) {
    super();
    this.unscaled = unscaled;
    this.scale = scale;
    this.isSmall = isSmall && unscaled <= maxInt && unscaled >= minInt;
    this.notation = notation;
  }

  equals(other: Opaque): boolean {
    return other instanceof CelQuantity && compareQuantities(this, other) === 0n;
  }

  toString(): string {
    return printQuantity(this);
  }
}

const suffixes: Readonly<Record<string, readonly [base: 2 | 10, exponent: number]>> = {
  Ki: [2, 10],
  Mi: [2, 20],
  Gi: [2, 30],
  Ti: [2, 40],
  Pi: [2, 50],
  Ei: [2, 60],
  n: [10, -9],
  u: [10, -6],
  m: [10, -3],
  "": [10, 0],
  k: [10, 3],
  M: [10, 6],
  G: [10, 9],
  T: [10, 12],
  P: [10, 15],
  E: [10, 18],
};

const whole = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/;
const wrongFormat = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Parses a quantity, or returns the error message. */
function parseCelQuantity(text: string): CelQuantity | string {
  const found = whole.exec(text);
  if (found === null || text === "") return wrongFormat;
  const [, sign = "", integer = "", fraction = "", suffix = ""] = found;
  if (integer === "" && fraction === "" && text.includes(".")) return "unable to parse numeric part of quantity";
  const unit = Object.hasOwn(suffixes, suffix) ? suffixes[suffix] : exponentOf(suffix);
  if (unit === undefined) return "unable to parse quantity's suffix";
  const digits = BigInt(`0${integer}${fraction}`);
  return amount(sign === "-" ? -digits : digits, fraction.length, unit, isExponent(suffix));
}

function isExponent(suffix: string): boolean {
  return /^[eE].*\d$/.test(suffix);
}

function exponentOf(suffix: string): readonly [10, number] | undefined {
  const found = /^[eE]([+-]?\d+)$/.exec(suffix);
  return found === null ? undefined : [10, Number(found[1])];
}

function amount(digits: bigint, places: number, [base, exponent]: readonly [2 | 10, number], isPower: boolean): CelQuantity {
  if (base === 2) {
    const isSmall = places === 0 && String(digits).replace("-", "").length + Math.trunc(exponent * 0.3) + 1 <= 15;
    return atLeastNano(digits << BigInt(exponent), -places, isSmall, "binary");
  }
  const isSmall = String(digits).replace("-", "").length <= 18;
  return atLeastNano(digits, exponent - places, isSmall, isPower ? "exponent" : "decimal");
}

/** Rounds amounts below one nano away from zero to one nano. */
function atLeastNano(unscaled: bigint, scale: number, isSmall: boolean, notation: Notation): CelQuantity {
  if (scale >= -9) return new CelQuantity(unscaled, Math.min(scale, 1000), isSmall, notation);
  const divisor = 10n ** BigInt(Math.min(-9 - scale, 1000));
  const [quotient, remainder] = [unscaled / divisor, unscaled % divisor];
  const away = remainder === 0n ? 0n : unscaled < 0n ? -1n : 1n;
  return new CelQuantity(quotient + away, -9, false, notation);
}

/** Both amounts in the smaller scale. */
function aligned(left: CelQuantity, right: CelQuantity): readonly [bigint, bigint, number] {
  const scale = Math.min(left.scale, right.scale);
  return [left.unscaled * 10n ** BigInt(left.scale - scale), right.unscaled * 10n ** BigInt(right.scale - scale), scale];
}

function compareQuantities(left: CelQuantity, right: CelQuantity): bigint {
  const [first, second] = aligned(left, right);
  if (first === second) return 0n;
  return first < second ? -1n : 1n;
}

function addQuantities(left: CelQuantity, right: CelQuantity, sign: bigint): CelQuantity {
  if (right.unscaled === 0n) return left;
  if (left.unscaled === 0n) return new CelQuantity(sign * right.unscaled, right.scale, right.isSmall, right.notation);
  const [first, second, scale] = aligned(left, right);
  return new CelQuantity(first + sign * second, scale, left.isSmall && right.isSmall, left.notation);
}

function integerOf({ unscaled, scale, isSmall }: CelQuantity): bigint | undefined {
  if (!isSmall || scale < 0) return undefined;
  const value = unscaled * 10n ** BigInt(scale);
  return value > maxInt || value < minInt ? undefined : value;
}

const decimals: readonly (readonly [number, string])[] = [
  [18, "E"],
  [15, "P"],
  [12, "T"],
  [9, "G"],
  [6, "M"],
  [3, "k"],
  [0, ""],
  [-3, "m"],
  [-6, "u"],
  [-9, "n"],
];
const binaries: readonly (readonly [bigint, string])[] = [
  [60n, "Ei"],
  [50n, "Pi"],
  [40n, "Ti"],
  [30n, "Gi"],
  [20n, "Mi"],
  [10n, "Ki"],
];

/** Prints in the largest unit in which the number is whole. */
function printQuantity(quantity: CelQuantity): string {
  const nanos = quantity.unscaled * 10n ** BigInt(quantity.scale + 9);
  if (nanos === 0n) return "0";
  const size = nanos / 1_000_000_000n;
  const isWhole = nanos % 1_000_000_000n === 0n;
  if (quantity.notation === "binary" && isWhole && (size >= 1024n || size <= -1024n)) {
    const unit = binaries.find(([power]) => size % (1n << power) === 0n);
    if (unit !== undefined) return `${size / (1n << unit[0])}${unit[1]}`;
    return String(size);
  }
  const [power, suffix] = decimals.find(([each]) => nanos % 10n ** BigInt(each + 9) === 0n) ?? [-9, "n"];
  const digits = nanos / 10n ** BigInt(power + 9);
  if (quantity.notation === "exponent") return power === 0 ? String(digits) : `${digits}e${power}`;
  return `${digits}${suffix}`;
}

function quantityOf(text: string): CelQuantity {
  const parsed = parseCelQuantity(text);
  return typeof parsed === "string" ? fail(parsed) : parsed;
}

function isQuantity(value: CelValue): value is CelQuantity {
  return value instanceof CelQuantity;
}

const type = opaqueType("kubernetes.Quantity");
const quantity = takes.opaque("kubernetes.Quantity", isQuantity);
const once: Cost = ([text]) => traversal(sizeOf(text));

function ofInt(value: bigint): CelQuantity {
  return new CelQuantity(value, 0, true, "exponent");
}

/** Models apiserver pkg/cel/library/quantity.go */
export const quantities: readonly FunctionDeclaration[] = [
  declare("quantity", global("string_to_quantity", [takes.string], type, quantityOf, once)),
  declare(
    "isQuantity",
    global("is_quantity_string", [takes.string], boolType, (text) => typeof parseCelQuantity(text) !== "string", once),
  ),
  declare(
    "sign",
    global("quantity_sign", [quantity], intType, (value) => compareQuantities(value, ofInt(0n))),
  ),
  declare(
    "isGreaterThan",
    member("quantity_is_greater_than", [quantity, quantity], boolType, (left, right) => compareQuantities(left, right) > 0n),
  ),
  declare(
    "isLessThan",
    member("quantity_is_less_than", [quantity, quantity], boolType, (left, right) => compareQuantities(left, right) < 0n),
  ),
  declare("compareTo", member("quantity_compare_to", [quantity, quantity], intType, compareQuantities)),
  declare(
    "asApproximateFloat",
    member("quantity_get_float", [quantity], doubleType, ({ unscaled, scale }) => Number(`${unscaled}e${scale}`)),
  ),
  declare(
    "asInteger",
    member("quantity_get_int", [quantity], intType, (value) => integerOf(value) ?? fail("cannot convert value to integer")),
  ),
  declare(
    "isInteger",
    member("quantity_is_integer", [quantity], boolType, (value) => integerOf(value) !== undefined),
  ),
  declare(
    "add",
    member("quantity_add", [quantity, quantity], type, (left, right) => addQuantities(left, right, 1n)),
    member("quantity_add_int", [quantity, takes.int], type, (left, right) => addQuantities(left, ofInt(right), 1n)),
  ),
  declare(
    "sub",
    member("quantity_sub", [quantity, quantity], type, (left, right) => addQuantities(left, right, -1n)),
    member("quantity_sub_int", [quantity, takes.int], type, (left, right) => addQuantities(left, ofInt(right), -1n)),
  ),
];

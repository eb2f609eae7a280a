import { charge } from "../../../core/cost/index.ts";
import {
  GoError,
  GoList,
  goFunction,
  int,
  int64,
  types,
  wrapInteger,
  type FunctionTable,
  type Integer,
  type GoValue,
  sprint,
  sprintValue,
} from "../../template/index.ts";
import { toFloat, toInteger } from "../number/cast.ts";
import { decimalOf, divideDecimals, floatOf, subtractDecimals, addDecimals, multiplyDecimals, type Decimal } from "../number/decimal.ts";
import { parseInt64Clamped, parseInt64 } from "../number/parse.ts";
import { panic } from "../panic.ts";

/** Integers of 64 bits that wrap around, and decimal arithmetic. */
export const numberFunctions: FunctionTable = {
  atoi: goFunction("func(string) int", (text: string) => int(parseInt64Clamped(text) ?? 0)),
  int: goFunction("func(interface {}) int", (value: GoValue) => int(toInteger(value))),
  int64: goFunction("func(interface {}) int64", (value: GoValue) => int64(toInteger(value))),
  float64: goFunction("func(interface {}) float64", toFloat),
  toDecimal: goFunction("func(interface {}) int64", (value: GoValue) => int64(parseInt64(sprint([value]), 8) ?? 0)),
  add1: goFunction("func(interface {}) int64", (value: GoValue) => int64Arithmetic(toInteger(value), 1, "+")),
  add: goFunction("func(...interface {}) int64", (...values: GoValue[]) => {
    let sum = zero;
    for (const value of values) sum = int64Arithmetic(sum.value, toInteger(value), "+");
    return sum;
  }),
  sub: goFunction("func(interface {}, interface {}) int64", (a: GoValue, b: GoValue) => int64Arithmetic(toInteger(a), toInteger(b), "-")),
  div: goFunction("func(interface {}, interface {}) int64", (a: GoValue, b: GoValue) => int64Arithmetic(toInteger(a), toInteger(b), "/")),
  mod: goFunction("func(interface {}, interface {}) int64", (a: GoValue, b: GoValue) => int64Arithmetic(toInteger(a), toInteger(b), "%")),
  mul: goFunction("func(interface {}, ...interface {}) int64", (a: GoValue, ...values: GoValue[]) => {
    let product = int64(toInteger(a));
    for (const value of values) product = int64Arithmetic(product.value, toInteger(value), "*");
    return product;
  }),
  add1f: goFunction("func(interface {}) float64", (value: GoValue) => decimalArithmetic(toFloat(value), [1], addDecimals)),
  addf: goFunction("func(...interface {}) float64", (...values: GoValue[]) => decimalArithmetic(0, values.map(toFloat), addDecimals)),
  subf: goFunction("func(interface {}, ...interface {}) float64", (a: GoValue, ...rest: GoValue[]) =>
    decimalArithmetic(toFloat(a), rest.map(toFloat), subtractDecimals),
  ),
  mulf: goFunction("func(interface {}, ...interface {}) float64", (a: GoValue, ...rest: GoValue[]) =>
    decimalArithmetic(toFloat(a), rest.map(toFloat), multiplyDecimals),
  ),
  divf: goFunction("func(interface {}, ...interface {}) float64", (a: GoValue, ...rest: GoValue[]) =>
    decimalArithmetic(toFloat(a), rest.map(toFloat), divide),
  ),
  max: goFunction("func(interface {}, ...interface {}) int64", largest),
  biggest: goFunction("func(interface {}, ...interface {}) int64", largest),
  min: goFunction("func(interface {}, ...interface {}) int64", (...values: GoValue[]) =>
    int64(values.map(toInteger).reduce((least, value) => (value < least ? value : least))),
  ),
  maxf: goFunction("func(interface {}, ...interface {}) float64", (...values: GoValue[]) => values.map(toFloat).reduce(maximum)),
  minf: goFunction("func(interface {}, ...interface {}) float64", (...values: GoValue[]) => values.map(toFloat).reduce(minimum)),
  ceil: goFunction("func(interface {}) float64", (value: GoValue) => Math.ceil(toFloat(value))),
  floor: goFunction("func(interface {}) float64", (value: GoValue) => Math.floor(toFloat(value))),
  round: goFunction("func(interface {}, int, ...float64) float64", (value: GoValue, places: Integer, on = 0.5) =>
    rounded(toFloat(value), Number(places.value), on),
  ),
  until: goFunction("func(int) []int", (count: Integer) => integers(steps(0, count.value, count.value < 0 ? -1 : 1))),
  untilStep: goFunction("func(int, int, int) []int", (start: Integer, stop: Integer, step: Integer) =>
    integers(steps(start.value, stop.value, step.value)),
  ),
  seq: goFunction("func(...int) string", (...parameters: Integer[]) => sequenceText(parameters.map(({ value }) => value))),
};

const zero = int64(0);

function int64Arithmetic(a: number | bigint, b: number | bigint, operator: "+" | "-" | "*" | "/" | "%"): Integer {
  if ((operator === "/" || operator === "%") && Number(b) === 0) panic("runtime error: integer divide by zero");
  if (typeof a === "number" && typeof b === "number") {
    const quick =
      operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : operator === "/" ? Math.trunc(a / b) : a % b;
    // Adding 0 turns -0 into 0. A quotient of large numbers may be rounded before truncation.
    if (Number.isSafeInteger(quick) && (operator !== "/" || Math.abs(a) < 2 ** 50)) return int64(quick + 0);
  }
  return wrapInteger(types.int64, bigintArithmetic(BigInt(a), BigInt(b), operator));
}

function bigintArithmetic(a: bigint, b: bigint, operator: "+" | "-" | "*" | "/" | "%"): bigint {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return a / b;
    default:
      return a % b;
  }
}

function largest(...values: GoValue[]): Integer {
  return int64(values.map(toInteger).reduce((most, value) => (value > most ? value : most)));
}

/** An infinity wins over NaN. Math.max returns NaN. */
function maximum(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b);
}

function minimum(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b);
}

function decimalArithmetic(first: number, rest: readonly number[], compute: (a: Decimal, b: Decimal) => Decimal): number {
  let result = decimal(first);
  for (const value of rest) result = compute(result, decimal(value));
  return floatOf(result);
}

function decimal(value: number): Decimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${sprintValue(value)}`);
  return decimalOf(value);
}

function divide(a: Decimal, b: Decimal): Decimal {
  return b.digits === 0n ? panic("decimal division by 0") : divideDecimals(a, b);
}

function rounded(value: number, places: number, on: number): number {
  const power = powerOfTen(places);
  const digit = power * value;
  const fraction = digit % 1;
  return (fraction >= on ? Math.ceil(digit) : Math.floor(digit)) / power;
}

/** Models math.Pow(10, y), which differs from JavaScript's in the last digits of large powers. */
function powerOfTen(exponent: number): number {
  // 10 is 0.625 times 2 to the power of 4.
  let [fraction, binary] = [0.625, 4];
  let [mantissa, power] = [1, 0];
  for (let rest = Math.abs(exponent); rest >= 1; rest = Math.floor(rest / 2)) {
    if (Math.abs(binary) > 2 ** 12) {
      power += binary;
      break;
    }
    if (rest % 2 === 1) {
      mantissa *= fraction;
      power += binary;
    }
    fraction *= fraction;
    binary *= 2;
    if (fraction < 0.5) {
      fraction *= 2;
      binary--;
    }
  }
  if (exponent < 0) [mantissa, power] = [1 / mantissa, -power];
  // Two steps, because 2 to the whole power may be out of range.
  const half = Math.trunc(power / 2);
  return mantissa * 2 ** half * 2 ** (power - half);
}

/** A longer list is rejected. */
const mostSteps = 10_000_000;
/** A number in a list. */
const costOfNumber = 32;

function steps(start: number | bigint, stop: number | bigint, step: number | bigint): readonly (number | bigint)[] {
  if (stop < start ? step >= 0 : step <= 0) return [];
  if (typeof start === "bigint" || typeof stop === "bigint" || typeof step === "bigint")
    return bigSteps(BigInt(start), BigInt(stop), BigInt(step));
  const count = Math.ceil((stop - start) / step);
  if (count > mostSteps) panic(`a list of ${count} numbers is too long`);
  charge(costOfNumber * count);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function bigSteps(start: bigint, stop: bigint, step: bigint): readonly bigint[] {
  const count = (stop - start) / step + ((stop - start) % step === 0n ? 0n : 1n);
  // Go's loop does not end when its integer wraps around.
  const last = start + count * step;
  if (count > mostSteps || last !== BigInt.asIntN(64, last)) panic(`a list of ${count} numbers is too long`);
  charge(2 * costOfNumber * Number(count));
  return Array.from({ length: Number(count) }, (_, index) => start + BigInt(index) * step);
}

function integers(values: readonly (number | bigint)[]): GoList {
  return new GoList(types.intList, values.map(int));
}

function sequenceText(parameters: readonly (number | bigint)[]): string {
  const [start, step, end] = sequenceOf(parameters) ?? [];
  if (start === undefined || step === undefined || end === undefined) return "";
  return steps(start, int64Arithmetic(end, end < start ? -1 : 1, "+").value, step).join(" ");
}

/** Start, step and end. */
function sequenceOf(parameters: readonly (number | bigint)[]): readonly [number | bigint, number | bigint, number | bigint] | undefined {
  const [first = 1, second = 1, third = 1] = parameters;
  switch (parameters.length) {
    case 1:
      return [1, first < 1 ? -1 : 1, first];
    case 2:
      return [first, second < first ? -1 : 1, second];
    case 3:
      return third < first && second > 0 ? undefined : [first, second, third];
    default:
      return undefined;
  }
}

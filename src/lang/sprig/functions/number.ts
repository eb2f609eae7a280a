import {
  GoError,
  GoList,
  goFunction,
  int,
  int64,
  types,
  wrapped,
  type FunctionTable,
  type Integer,
  type Value,
  sprint,
  valueText,
} from "../../template/index.ts";
import { toFloat, toInteger } from "../number/cast.ts";
import { decimalOf, dividedBy, floatOf, minus, plus, times, type Decimal } from "../number/decimal.ts";
import { nearestInteger, parseInteger } from "../number/parse.ts";
import { fail } from "../panic.ts";

/** Numbers: whole ones with 64 bits that wrap around, and decimal fractions without the errors of binary ones. */
export const numberFunctions: FunctionTable = {
  atoi: goFunction("func(string) int", (text: string) => int(nearestInteger(text) ?? 0)),
  int: goFunction("func(interface {}) int", (value: Value) => int(toInteger(value))),
  int64: goFunction("func(interface {}) int64", (value: Value) => int64(toInteger(value))),
  float64: goFunction("func(interface {}) float64", toFloat),
  toDecimal: goFunction("func(interface {}) int64", (value: Value) => int64(parseInteger(sprint([value]), 8) ?? 0)),
  add1: goFunction("func(interface {}) int64", (value: Value) => reckoned(toInteger(value), 1, "+")),
  add: goFunction("func(...interface {}) int64", (...values: Value[]) => {
    let sum = zero;
    for (const value of values) sum = reckoned(sum.value, toInteger(value), "+");
    return sum;
  }),
  sub: goFunction("func(interface {}, interface {}) int64", (a: Value, b: Value) => reckoned(toInteger(a), toInteger(b), "-")),
  div: goFunction("func(interface {}, interface {}) int64", (a: Value, b: Value) => reckoned(toInteger(a), toInteger(b), "/")),
  mod: goFunction("func(interface {}, interface {}) int64", (a: Value, b: Value) => reckoned(toInteger(a), toInteger(b), "%")),
  mul: goFunction("func(interface {}, ...interface {}) int64", (a: Value, ...values: Value[]) => {
    let product = int64(toInteger(a));
    for (const value of values) product = reckoned(product.value, toInteger(value), "*");
    return product;
  }),
  add1f: goFunction("func(interface {}) float64", (value: Value) => decimally(toFloat(value), [1], plus)),
  addf: goFunction("func(...interface {}) float64", (...values: Value[]) => decimally(0, values.map(toFloat), plus)),
  subf: goFunction("func(interface {}, ...interface {}) float64", (a: Value, ...rest: Value[]) =>
    decimally(toFloat(a), rest.map(toFloat), minus),
  ),
  mulf: goFunction("func(interface {}, ...interface {}) float64", (a: Value, ...rest: Value[]) =>
    decimally(toFloat(a), rest.map(toFloat), times),
  ),
  divf: goFunction("func(interface {}, ...interface {}) float64", (a: Value, ...rest: Value[]) =>
    decimally(toFloat(a), rest.map(toFloat), divide),
  ),
  max: goFunction("func(interface {}, ...interface {}) int64", largest),
  biggest: goFunction("func(interface {}, ...interface {}) int64", largest),
  min: goFunction("func(interface {}, ...interface {}) int64", (...values: Value[]) =>
    int64(values.map(toInteger).reduce((least, value) => (value < least ? value : least))),
  ),
  maxf: goFunction("func(interface {}, ...interface {}) float64", (...values: Value[]) => values.map(toFloat).reduce(maximum)),
  minf: goFunction("func(interface {}, ...interface {}) float64", (...values: Value[]) => values.map(toFloat).reduce(minimum)),
  ceil: goFunction("func(interface {}) float64", (value: Value) => Math.ceil(toFloat(value))),
  floor: goFunction("func(interface {}) float64", (value: Value) => Math.floor(toFloat(value))),
  round: goFunction("func(interface {}, int, ...float64) float64", (value: Value, places: Integer, on = 0.5) =>
    rounded(toFloat(value), Number(places.value), on),
  ),
  until: goFunction("func(int) []int", (count: Integer) => integers(steps(0, Number(count.value), count.value < 0 ? -1 : 1))),
  untilStep: goFunction("func(int, int, int) []int", (start: Integer, stop: Integer, step: Integer) =>
    integers(steps(Number(start.value), Number(stop.value), Number(step.value))),
  ),
  seq: goFunction("func(...int) string", (...parameters: Integer[]) => sequenceText(parameters.map(({ value }) => Number(value)))),
};

const zero = int64(0);

function reckoned(a: number | bigint, b: number | bigint, operator: "+" | "-" | "*" | "/" | "%"): Integer {
  if ((operator === "/" || operator === "%") && Number(b) === 0) fail("runtime error: integer divide by zero");
  if (typeof a === "number" && typeof b === "number") {
    const quick =
      operator === "+" ? a + b : operator === "-" ? a - b : operator === "*" ? a * b : operator === "/" ? Math.trunc(a / b) : a % b;
    // Adding 0 makes 0 of -0. A quotient of large numbers may have been rounded before it was cut off.
    if (Number.isSafeInteger(quick) && (operator !== "/" || Math.abs(a) < 2 ** 50)) return int64(quick + 0);
  }
  return wrapped(types.int64, exactly(BigInt(a), BigInt(b), operator));
}

function exactly(a: bigint, b: bigint, operator: "+" | "-" | "*" | "/" | "%"): bigint {
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

function largest(...values: Value[]): Integer {
  return int64(values.map(toInteger).reduce((most, value) => (value > most ? value : most)));
}

/** An infinity wins over no number, which Math.max does not let it. */
function maximum(a: number, b: number): number {
  return a === Infinity || b === Infinity ? Infinity : Math.max(a, b);
}

function minimum(a: number, b: number): number {
  return a === -Infinity || b === -Infinity ? -Infinity : Math.min(a, b);
}

function decimally(first: number, rest: readonly number[], reckon: (a: Decimal, b: Decimal) => Decimal): number {
  let result = decimal(first);
  for (const value of rest) result = reckon(result, decimal(value));
  return floatOf(result);
}

function decimal(value: number): Decimal {
  if (!Number.isFinite(value)) throw new GoError(`Cannot create a Decimal from ${valueText(value)}`);
  return decimalOf(value);
}

function divide(a: Decimal, b: Decimal): Decimal {
  return b.digits === 0n ? fail("decimal division by 0") : dividedBy(a, b);
}

function rounded(value: number, places: number, on: number): number {
  const power = 10 ** places;
  const digit = power * value;
  const fraction = digit % 1;
  return (fraction >= on ? Math.ceil(digit) : Math.floor(digit)) / power;
}

/** More than a template can use: a list so long is refused rather than made. */
const mostSteps = 10_000_000;

function steps(start: number, stop: number, step: number): number[] {
  if (stop < start ? step >= 0 : step <= 0) return [];
  const count = Math.ceil((stop - start) / step);
  if (count > mostSteps) fail(`a list of ${count} numbers is too long`);
  return Array.from({ length: count }, (_, index) => start + index * step);
}

function integers(values: readonly number[]): GoList {
  return new GoList(types.intList, values.map(int));
}

function sequenceText(parameters: readonly number[]): string {
  const [start, step, end] = sequenceOf(parameters) ?? [];
  if (start === undefined || step === undefined || end === undefined) return "";
  return steps(start, end + (end < start ? -1 : 1), step).join(" ");
}

/** First number, step and last number. */
function sequenceOf(parameters: readonly number[]): [number, number, number] | undefined {
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

import { Integer, Pointer, GoScalar, indirect, types, type GoValue } from "../../template/index.ts";
import { parseFloat64, parseInt64 } from "./parse.ts";

/** The int64 that amd64 produces for a float out of range. */
const overflow = -(2n ** 63n);

/** Casts a value to a 64-bit integer, 0 when it is not a number. Models github.com/spf13/cast. */
export function toInteger(given: GoValue): number | bigint {
  const value = given instanceof Pointer ? indirect(given) : given;
  if (value instanceof Integer) return integerOf(value);
  switch (typeof value) {
    case "number":
      return truncated(value);
    case "string":
      return parseInt64(withoutZeroFraction(value), 0) ?? 0;
    case "boolean":
      return value ? 1 : 0;
    default:
      return value instanceof GoScalar && value.type === types.float32 ? truncated(Number(value.value)) : 0;
  }
}

/** cast accepts only Go's own integer types, months and weekdays. */
function integerOf({ type, value }: Integer): number | bigint {
  if (type.name !== type.kind && type.name !== "time.Month" && type.name !== "time.Weekday") return 0;
  return typeof value === "bigint" ? BigInt.asIntN(64, value) : value;
}

function truncated(value: number): number | bigint {
  if (Number.isSafeInteger(value)) return value;
  if (Number.isNaN(value) || value >= 2 ** 63 || value < -(2 ** 63)) return overflow;
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole + 0 : BigInt(whole);
}

/** cast accepts `1.0`, `1.00` and `.0` as integers. */
function withoutZeroFraction(text: string): string {
  return /^(.*)\.0+$/s.exec(text)?.[1] ?? text;
}

/** Casts a value to a float64, 0 when it is not a number. */
export function toFloat(given: GoValue): number {
  const value = given instanceof Pointer ? indirect(given) : given;
  if (value instanceof Integer) return value.type.name === value.type.kind ? Number(value.value) : Number(integerOf(value));
  switch (typeof value) {
    case "number":
      return value;
    case "string":
      return parseFloat64(value) ?? 0;
    case "boolean":
      return value ? 1 : 0;
    default:
      return value instanceof GoScalar && value.type === types.float32 ? Number(value.value) : 0;
  }
}

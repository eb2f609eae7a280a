import { exactDecimal, floatParts, rounded, shortestDecimal, type DecimalDigits } from "./decimal.ts";

export type FloatVerb = "b" | "e" | "E" | "f" | "g" | "G" | "x" | "X";

/** Models strconv.FormatFloat. Precision -1 means the fewest digits that read back. */
export function formatFloat(value: number, verb: FloatVerb, precision: number, bits: 32 | 64 = 64): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  switch (verb) {
    case "b":
      return sign + binary(size, bits);
    case "x":
      return sign + hexadecimal(size, precision);
    case "X":
      return sign + hexadecimal(size, precision).toUpperCase();
    case "e":
    case "E":
      return sign + exponential(digitsFor(size, precision + 1, precision < 0, bits), precision, verb);
    case "f":
      return sign + fixed(size, precision, bits);
    default:
      return sign + general(size, precision, bits, verb === "g" ? "e" : "E");
  }
}

/** Formats a float64 as `%v` and `{{ }}` do. */
export function floatText(value: number): string {
  if (Number.isInteger(value) && value > -1_000_000 && value < 1_000_000) return Object.is(value, -0) ? "-0" : String(value);
  return formatFloat(value, "g", -1);
}

function digitsFor(size: number, count: number, shortest: boolean, bits: 32 | 64): DecimalDigits {
  return shortest ? shortestDecimal(size, bits) : rounded(exactDecimal(size), count);
}

function general(size: number, precision: number, bits: 32 | 64, letter: "e" | "E"): string {
  const shortest = precision < 0;
  const count = precision === 0 ? 1 : precision;
  const decimal = digitsFor(size, count, shortest, bits);
  const length = decimal.digits.length;
  const narrowed = count > length && length >= decimal.point ? length : count;
  const limit = shortest ? 6 : narrowed;
  const exponent = decimal.point - 1;
  if (length > 0 && (exponent < -4 || exponent >= limit)) return exponential(decimal, length - 1, letter);
  return plain(decimal, Math.max(length - decimal.point, 0));
}

function exponential({ digits, point }: DecimalDigits, precision: number, letter: "e" | "E"): string {
  const count = precision < 0 ? Math.max(digits.length - 1, 0) : precision;
  const fraction = digits.slice(1, count + 1).padEnd(count, "0");
  const exponent = digits === "" ? 0 : point - 1;
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${digits[0] ?? "0"}${fraction === "" ? "" : `.${fraction}`}${letter}${exponent < 0 ? "-" : "+"}${power}`;
}

function fixed(size: number, precision: number, bits: 32 | 64): string {
  if (precision < 0) {
    const decimal = shortestDecimal(size, bits);
    return plain(decimal, Math.max(decimal.digits.length - decimal.point, 0));
  }
  const exact = exactDecimal(size);
  return plain(rounded(exact, exact.point + precision), precision);
}

function plain({ digits, point }: DecimalDigits, precision: number): string {
  const whole = point > 0 ? digits.slice(0, point).padEnd(point, "0") : "0";
  if (precision === 0) return whole;
  const behind = point > 0 ? digits.slice(point) : "0".repeat(digits === "" ? 0 : -point) + digits;
  return `${whole}.${behind.slice(0, precision).padEnd(precision, "0")}`;
}

function binary(size: number, bits: 32 | 64): string {
  const { mantissa, exponent } = floatParts(size);
  if (bits === 64) return `${mantissa}p${exponent < 0 ? "" : "+"}${exponent}`;
  // A float32 has 29 fewer mantissa bits, and its smallest exponent is -149.
  const shift = Math.max(29, -149 - exponent);
  const narrow = exponent + shift;
  return size === 0 ? "0p-149" : `${mantissa >> BigInt(shift)}p${narrow < 0 ? "" : "+"}${narrow}`;
}

function hexadecimal(size: number, precision: number): string {
  let { mantissa, exponent } = floatParts(size);
  if (mantissa === 0n) exponent = 0;
  else {
    while (mantissa < 1n << 60n) {
      mantissa <<= 1n;
      exponent--;
    }
    exponent += 60;
  }
  if (precision >= 0 && precision < 15) {
    const shift = BigInt(precision * 4);
    const extra = (mantissa << shift) & ((1n << 60n) - 1n);
    let kept = mantissa >> (60n - shift);
    if ((extra | (kept & 1n)) > 1n << 59n) kept++;
    mantissa = kept << (60n - shift);
    if (mantissa >= 1n << 61n) {
      mantissa >>= 1n;
      exponent++;
    }
  }
  const fraction = (mantissa & ((1n << 60n) - 1n)).toString(16).padStart(15, "0");
  const shown = precision < 0 ? fraction.replace(/0+$/, "") : fraction.slice(0, precision).padEnd(precision, "0");
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `0x${mantissa >> 60n}${shown === "" ? "" : `.${shown}`}p${exponent < 0 ? "-" : "+"}${power}`;
}

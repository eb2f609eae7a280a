/** Numbers as C's printf writes them: exact, with ties to even. */

/** Formats a number as `tostring` does: `%.14g`. */
export function numberText(value: number): string {
  if (Number.isInteger(value) && value < 1e14 && value > -1e14) return Object.is(value, -0) ? "-0" : String(value);
  const short = String(value);
  // The shortest representation equals the rounded one if it has at most 14 digits.
  if (short.length <= 15 && /^-?(?:[1-9]\d*|0)\.\d+$/.test(short) && Math.abs(value) >= 1e-4) return short;
  return general(value, 14);
}

/** The text of NaN and the infinities; undefined for a finite number. */
export function specialText(value: number): string | undefined {
  if (Number.isNaN(value)) return "nan";
  if (value === Infinity) return "inf";
  return value === -Infinity ? "-inf" : undefined;
}

/** `%.{digits}f` */
export function fixed(value: number, digits: number): string {
  const special = specialText(value);
  if (special !== undefined) return special;
  const scaled = roundedQuotient(...fraction(Math.abs(value), digits))
    .toString()
    .padStart(digits + 1, "0");
  const whole = scaled.slice(0, scaled.length - digits);
  return `${sign(value)}${whole}${digits === 0 ? "" : `.${scaled.slice(-digits)}`}`;
}

/** `%.{digits}e` */
export function exponential(value: number, digits: number): string {
  const special = specialText(value);
  if (special !== undefined) return special;
  const { text, exponent } = decimal(Math.abs(value), digits + 1);
  const mantissa = digits === 0 ? text : `${text.slice(0, 1)}.${text.slice(1)}`;
  return `${sign(value)}${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** `%.{digits}g`; with `keepZeros`, `%#.{digits}g`. */
export function general(value: number, digits: number, keepZeros = false): string {
  const special = specialText(value);
  if (special !== undefined) return special;
  const precision = Math.max(digits, 1);
  const { exponent } = decimal(Math.abs(value), precision);
  const isSmall = exponent >= -4 && exponent < precision;
  const text = isSmall ? fixed(value, precision - 1 - exponent) : exponential(value, precision - 1);
  if (keepZeros) return text;
  return isSmall ? withoutZeros(text) : text.replace(/^[^e]+/, withoutZeros);
}

function withoutZeros(text: string): string {
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? "-" : "";
}

/** The first `digits` significant digits, rounded, and the decimal exponent. */
function decimal(value: number, digits: number): { text: string; exponent: number } {
  if (value === 0) return { text: "0".repeat(digits), exponent: 0 };
  let exponent = Math.floor(Math.log10(value));
  for (;;) {
    const [numerator, denominator] = fraction(value, digits - 1 - exponent);
    const text = roundedQuotient(numerator, denominator).toString();
    if (text.length === digits) return { text, exponent };
    // The logarithm was off by one, or rounding added a digit.
    exponent += text.length > digits ? 1 : -1;
  }
}

/** `value * 10^power` as a fraction of integers. */
function fraction(value: number, power: number): [numerator: bigint, denominator: bigint] {
  const [mantissa, exponent] = parts(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  return [numerator, denominator];
}

function roundedQuotient(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = 2n * (numerator % denominator);
  if (twice > denominator || (twice === denominator && quotient % 2n === 1n)) return quotient + 1n;
  return quotient;
}

const view = new DataView(new ArrayBuffer(8));

/** The mantissa and the binary exponent of a double. */
function parts(value: number): [mantissa: bigint, exponent: number] {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const mantissa = bits & 0xfffffffffffffn;
  return exponent === 0 ? [mantissa, -1074] : [mantissa | 0x10000000000000n, exponent - 1075];
}

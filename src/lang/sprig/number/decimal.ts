/** An exact decimal number: `digits` times ten to the power of `exponent`. Models github.com/shopspring/decimal. */
export type Decimal = { readonly digits: bigint; readonly exponent: number };

const places = 16;

/** The shortest decimal that reads back as the float. */
export function decimalOf(value: number): Decimal {
  const [mantissa = "0", power = "0"] = value.toExponential().split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}

/** The nearest float. */
export function floatOf({ digits, exponent }: Decimal): number {
  return Number(`${digits}e${exponent}`);
}

export function addDecimals(a: Decimal, b: Decimal): Decimal {
  const exponent = Math.min(a.exponent, b.exponent);
  return { digits: scaled(a, exponent) + scaled(b, exponent), exponent };
}

export function subtractDecimals(a: Decimal, b: Decimal): Decimal {
  return addDecimals(a, { ...b, digits: -b.digits });
}

export function multiplyDecimals(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, exponent: a.exponent + b.exponent };
}

/** Divides to sixteen places, rounding half away from zero. `b` must not be 0. */
export function divideDecimals(a: Decimal, b: Decimal): Decimal {
  const shift = a.exponent - b.exponent + places;
  const [dividend, divisor] = shift >= 0 ? [a.digits * 10n ** BigInt(shift), b.digits] : [a.digits, b.digits * 10n ** BigInt(-shift)];
  const quotient = dividend / divisor;
  const rest = dividend % divisor;
  const isLess = absolute(rest) * 2n < absolute(divisor);
  const away = dividend < 0n === divisor < 0n ? 1n : -1n;
  return { digits: isLess ? quotient : quotient + away, exponent: -places };
}

function scaled({ digits, exponent }: Decimal, to: number): bigint {
  return digits * 10n ** BigInt(exponent - to);
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** A decimal number: 0.d1d2d3… times ten to the power of `point`. */
export type DecimalDigits = {
  readonly digits: string;
  readonly point: number;
};

const view = new DataView(new ArrayBuffer(8));

/** The mantissa and binary exponent of a float, which must be finite and not negative. */
export function floatParts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  return biased === 0 ? { mantissa: fraction, exponent: -1074 } : { mantissa: fraction | (1n << 52n), exponent: biased - 1075 };
}

/** All digits of a float. */
export function exactDecimal(value: number): DecimalDigits {
  const { mantissa, exponent } = floatParts(value);
  if (mantissa === 0n) return { digits: "", point: 0 };
  if (exponent >= 0) return trimmed((mantissa << BigInt(exponent)).toString(), 0);
  // Dividing by two equals multiplying by five and shifting the decimal point.
  return trimmed((mantissa * 5n ** BigInt(-exponent)).toString(), exponent);
}

function trimmed(digits: string, shift: number): DecimalDigits {
  return { digits: digits.replace(/0+$/, ""), point: digits.length + shift };
}

/** The fewest digits that read back as the same float. */
export function shortestDecimal(value: number, bits: 32 | 64): DecimalDigits {
  if (value === 0) return { digits: "", point: 0 };
  const text = bits === 64 ? value.toExponential() : shortestSingle(value);
  const [mantissa = "", exponent = ""] = text.split("e");
  return { digits: mantissa.replace(".", "").replace(/0+$/, ""), point: Number(exponent) + 1 };
}

function shortestSingle(value: number): string {
  for (let digits = 0; digits < 9; digits++) {
    const text = value.toExponential(digits);
    if (Math.fround(Number(text)) === value) return text;
  }
  return value.toExponential();
}

/** Rounds to `count` digits, ties to even. */
export function rounded({ digits, point }: DecimalDigits, count: number): DecimalDigits {
  if (count >= digits.length) return { digits, point };
  if (count < 0) return { digits: "", point: 0 };
  const kept = digits.slice(0, count);
  if (!roundsUp(digits, count)) return trimmed(kept, point - count);
  const raised = (BigInt(kept === "" ? "0" : kept) + 1n).toString().padStart(count, "0");
  return trimmed(raised, point - count);
}

function roundsUp(digits: string, count: number): boolean {
  const next = digits.charCodeAt(count) - 48;
  if (next !== 5 || digits.length > count + 1) return next >= 5;
  return count > 0 && (digits.charCodeAt(count - 1) - 48) % 2 === 1;
}

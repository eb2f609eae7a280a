/** Decimal exponents of the suffixes of quantities. */
const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };

type Amount = { readonly value: bigint; readonly scale: number; readonly format: string; readonly isCanonical: boolean };

/**
 * A quantity as Go dumps it. Models apimachinery pkg/api/resource/quantity.go ParseQuantity for amounts of up to 15 digits; larger
 * ones have another form there.
 */
export function dumpedQuantity(quantity: unknown): string {
  const text = quantity === undefined || quantity === null ? "" : String(quantity);
  const { value, scale, format, isCanonical } = text === "" ? nothing : amountOf(text);
  const amount = `(resource.int64Amount){value:(int64)${value} scale:(resource.Scale)${scale}}`;
  const big = "(resource.infDecAmount){Dec:(*inf.Dec)<nil>}";
  return `{i:${amount} d:${big} s:(string)${isCanonical ? text : ""} Format:(resource.Format)${format}}`;
}

const nothing: Amount = { value: 0n, scale: 0, format: "", isCanonical: false };

function amountOf(text: string): Amount {
  if (text === "0") return { value: 0n, scale: 0, format: "DecimalSI", isCanonical: true };
  const [, sign = "", whole = "", part = "", suffix = ""] = /^([+-]?)(\d*)\.?(\d*)(.*)$/.exec(text) ?? [];
  const digits = whole.replace(/^0+(?=\d)/, "") + part;
  const signed = (value: bigint): bigint => (sign === "-" ? -value : value);
  const shift = binary[suffix];
  if (shift !== undefined) {
    const value = BigInt(digits || "0");
    return { value: signed(value << BigInt(shift)), scale: 0, format: "BinarySI", isCanonical: (value & 7n) !== 0n };
  }
  const exponent = decimal[suffix];
  const scale = (exponent ?? Number(suffix.slice(1))) - part.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
  return { value: signed(BigInt(digits || "0")), scale, format: exponent === undefined ? "DecimalExponent" : "DecimalSI", isCanonical };
}

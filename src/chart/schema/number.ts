import { floatText, Integer, namedType, GoScalar, types, type GoValue } from "../../lang/template/index.ts";

/** A JSON number with its original digits. */
export const jsonNumber = namedType("json.Number", types.string);

/** The amount of a number. Undefined for other values. */
export function amountOf(value: GoValue): number | undefined {
  if (typeof value === "number") return value;
  if (value instanceof Integer) return Number(value.value);
  return value instanceof GoScalar && value.type === jsonNumber ? Number(value.value) : undefined;
}

/** The digits of a number, as Go prints it. */
export function digitsOf(value: GoValue): string {
  if (typeof value === "number") return floatText(value);
  return value instanceof Integer || value instanceof GoScalar ? String(value.value) : "";
}

/** Whether one number is a multiple of another, computed on decimal digits instead of floats. */
export function isMultiple(digits: string, of: string): boolean {
  const [one, other] = [decimal(digits), decimal(of)];
  const places = one.places > other.places ? one.places : other.places;
  const divisor = other.units * 10n ** BigInt(places - other.places);
  return divisor !== 0n && (one.units * 10n ** BigInt(places - one.places)) % divisor === 0n;
}

function decimal(digits: string): { readonly units: bigint; readonly places: number } {
  const [, sign = "", whole = "0", fraction = "", exponent = "0"] = /^([-+]?)(\d*)(?:\.(\d*))?(?:[eE]([-+]?\d+))?$/.exec(digits) ?? [];
  const units = BigInt(`${whole}${fraction}`) * (sign === "-" ? -1n : 1n);
  const places = fraction.length - Number(exponent);
  return places >= 0 ? { units, places } : { units: units * 10n ** BigInt(-places), places: 0 };
}

/** An integer with commas between the thousands, as golang.org/x/text/message prints it. */
export function countText(count: number): string {
  return count.toLocaleString("en-US", { maximumFractionDigits: 0 });
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** A float as golang.org/x/text/message prints it: `1,234.5`, and `1.5×10⁰⁶` from a million on. */
export function amountText(amount: number): string {
  if (amount === 0) return "0";
  const [mantissa = "", exponent = "0"] = amount.toExponential().split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return amount.toLocaleString("en-US", { maximumFractionDigits: 20 });
  const digits = String(Math.abs(power)).padStart(2, "0");
  return `${mantissa}×10${power < 0 ? "⁻" : ""}${[...digits].map((digit) => superscripts[Number(digit)]).join("")}`;
}

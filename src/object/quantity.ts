import { Fault } from "../fault/index.ts";

/** An amount of a resource, exact to the billionth, and the family of suffixes it was written with. Models apimachinery pkg/api/resource. */
export type Quantity = {
  readonly nano: bigint;
  readonly format: "DecimalSI" | "BinarySI" | "DecimalExponent";
};

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };
const one = 10n ** 9n;
const mostBinary = (2n ** 63n - 1n) * one;

/** Beyond this an exponent makes numbers that are good for nothing but filling the memory. */
const largestExponent = 1000;

/** Reads `100m`, `1.5Gi`, `12e6`, `2`. Finer than a billionth is rounded up. Throws a Fault in Kubernetes' words. */
export function parseQuantity(text: string | number): Quantity {
  const [, sign, whole = "", fraction = "", suffix = ""] = /^([+-]?)(\d*)\.?(\d*)([eEinumkKMGTP]*[-+]?\d*)$/.exec(String(text)) ?? [];
  if (sign === undefined || text === "")
    throw refusal("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
  const { format, power, factor } = interpret(suffix);
  // As lax as the server: without any digit it is zero.
  const digits = BigInt(whole + fraction) * factor;
  const magnitude = scaled(digits, 9 + power - fraction.length);
  const capped = format === "BinarySI" && magnitude > mostBinary ? mostBinary : magnitude;
  return { nano: sign === "-" ? -capped : capped, format: format === "BinarySI" && capped < one && capped > 0n ? "DecimalSI" : format };
}

function interpret(suffix: string): { format: Quantity["format"]; power: number; factor: bigint } {
  const power = Object.hasOwn(decimal, suffix) ? decimal[suffix] : undefined;
  if (power !== undefined) return { format: "DecimalSI", power, factor: 1n };
  const kilos = Object.hasOwn(binary, suffix) ? binary[suffix] : undefined;
  if (kilos !== undefined) return { format: "BinarySI", power: 0, factor: 1024n ** BigInt(kilos) };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined || Math.abs(Number(exponent)) > largestExponent) throw refusal("unable to parse quantity's suffix");
  return { format: "DecimalExponent", power: Number(exponent), factor: 1n };
}

/** `digits` times ten to the `power`, rounded up. */
function scaled(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : ceilDivide(digits, 10n ** BigInt(-power));
}

/** The shortest text without a fraction, in the family of suffixes that the quantity was written with. */
export function quantityText({ nano, format }: Quantity): string {
  if (nano === 0n) return "0";
  const small = nano > -1024n * one && nano < 1024n * one;
  if (format === "BinarySI" && !small && nano % one === 0n) return binaryText(nano / one);
  let amount = nano;
  let exponent = -9;
  const largest = format === "DecimalExponent" ? Infinity : 18;
  while (exponent < largest && amount % 1000n === 0n) {
    amount /= 1000n;
    exponent += 3;
  }
  return amount + (format === "DecimalExponent" ? exponentText(exponent) : suffixOf(decimal, exponent));
}

function binaryText(value: bigint): string {
  let amount = value;
  let kilos = 0;
  while (kilos < 6 && amount % 1024n === 0n) {
    amount /= 1024n;
    kilos++;
  }
  return amount + (kilos === 0 ? "" : suffixOf(binary, kilos));
}

function exponentText(exponent: number): string {
  return exponent === 0 ? "" : `e${exponent}`;
}

function suffixOf(suffixes: Readonly<Record<string, number>>, power: number): string {
  return Object.keys(suffixes).find((suffix) => suffixes[suffix] === power) ?? "";
}

/** Negative, zero or positive, as sorting wants it. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The sum, in the format of the first unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return addQuantities(a, { nano: -b.nano, format: b.format });
}

/** The value as a whole number of units, or of thousandths (`milli`), rounded away from zero. */
export function quantityValue({ nano }: Quantity, unit: "one" | "milli" = "one"): bigint {
  const size = unit === "one" ? one : one / 1000n;
  return nano < 0n ? -ceilDivide(-nano, size) : ceilDivide(nano, size);
}

function ceilDivide(value: bigint, by: bigint): bigint {
  return (value + by - 1n) / by;
}

function refusal(message: string): Fault {
  return new Fault(message, undefined, { final: true });
}

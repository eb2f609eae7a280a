import { LruCache } from "../../core/cache/index.ts";

// Models apimachinery pkg/api/resource/quantity.go and suffix.go

type Format = "binary" | "decimal" | "exponent";

/** A resource quantity, exact to the billionth. */
export type Quantity = { readonly nano: bigint; readonly format: Format; readonly text?: string };

const nanoPerUnit = 1_000_000_000n;
const largest = (2n ** 63n - 1n) * nanoPerUnit;

const quantityPattern = "^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$";
export const wrongFormat = `quantities must match the regular expression '${quantityPattern}'`;
export const wrongSuffix = "unable to parse quantity's suffix";

const decimalExponents = new Map([
  ["n", -9],
  ["u", -6],
  ["m", -3],
  ["", 0],
  ["k", 3],
  ["M", 6],
  ["G", 9],
  ["T", 12],
  ["P", 15],
  ["E", 18],
]);
const binaryExponents = new Map([
  ["Ki", 10n],
  ["Mi", 20n],
  ["Gi", 30n],
  ["Ti", 40n],
  ["Pi", 50n],
  ["Ei", 60n],
]);

// Each digit belongs to one part only: where it could belong to several, a long text takes the time of all ways to share them out.
const shape = /^([+-]?)([0-9]*)(?:\.([0-9]*))?([^0-9][^]*)?$/;
const suffixShape = /^[eEinumkKMGTP]*[-+]?[0-9]*$/;

/** Caches parsed quantities: every Pod of a template has the same ones. */
const parsed = new LruCache<unknown, Quantity | string>({ maxEntries: 10_000 });

/** Parses a JSON value as a quantity, or returns the error message. */
export function parseQuantity(value: unknown): Quantity | string {
  return typeof value === "object" ? readQuantity(value) : parsed.getOrCreate(value, readQuantity);
}

function readQuantity(value: unknown): Quantity | string {
  const text = typeof value === "number" ? String(value) : value;
  const parts = typeof text === "string" && text !== "" ? shape.exec(text) : null;
  if (typeof text !== "string" || !parts) return wrongFormat;
  const [, sign = "", whole = "", fraction = "", suffix = ""] = parts;
  if (!suffixShape.test(suffix)) return wrongFormat;
  const binary = binaryExponents.get(suffix);
  const exponent = /^[eE]([+-]?[0-9]+)$/.exec(suffix)?.[1];
  const decimal = exponent === undefined ? decimalExponents.get(suffix) : Number(exponent);
  if (binary === undefined && decimal === undefined) return wrongSuffix;
  const digits = `${whole.replace(/^0+/, "") || "0"}${fraction}`;
  const size = scaled(digits, (decimal ?? 0) - fraction.length, binary ?? 0n);
  const format = binary === undefined ? (exponent === undefined ? "decimal" : "exponent") : "binary";
  const nano = sign === "-" ? -size : size;
  return keepsSpelling(digits, (decimal ?? 0) - fraction.length, format) ? { nano, format, text } : { nano, format };
}

function scaled(digits: string, exponent: number, binary: bigint): bigint {
  const value = BigInt(digits);
  const size = value === 0n ? 0n : shifted(value * 2n ** binary, exponent + 9, digits.length + maxBinaryDigits);
  return size > largest ? largest : size;
}

/** A number that needs no normalisation keeps its spelling, so "1.500" stays. */
function keepsSpelling(digits: string, exponent: number, format: Format): boolean {
  const short = digits.length <= 18 && !digits.startsWith("0") && !digits.endsWith("000");
  return format !== "binary" && short && exponent % 3 === 0 && exponent >= -9;
}

/** What 2^60 adds to the digits of a number. */
const maxBinaryDigits = 19;

/** `value` × 10^exponent, of a positive value with so many digits at most; what does not fit is rounded up, away from zero. */
function shifted(value: bigint, exponent: number, maxDigits: number): bigint {
  if (exponent >= 0) return exponent > 60 ? largest + 1n : value * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(Math.min(-exponent, maxDigits));
  return (value + divisor - 1n) / divisor;
}

/** The spelling the API server stores: the largest suffix that keeps the number whole. */
export function printQuantity({ nano, format, text }: Quantity): string {
  if (text !== undefined) return text;
  if (nano === 0n) return "0";
  const size = nano < 0n ? -nano : nano;
  const sign = nano < 0n ? "-" : "";
  if (format === "binary" && size >= 1024n * nanoPerUnit && size % nanoPerUnit === 0n) return sign + printBinary(size / nanoPerUnit);
  return sign + printDecimal(size, format === "exponent");
}

function printBinary(size: bigint): string {
  const suffixes = ["", ...binaryExponents.keys()];
  let index = 0;
  let rest = size;
  while (index < suffixes.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n;
    index += 1;
  }
  return `${rest}${suffixes[index]}`;
}

function printDecimal(nano: bigint, asExponent: boolean): string {
  let exponent = -9;
  let rest = nano;
  while (exponent < 18 && rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  if (asExponent) return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
  return `${rest}${[...decimalExponents].find(([, power]) => power === exponent)?.[0] ?? ""}`;
}

/** Rounded up to thousandths, as resource lists are when decoded. */
export function roundedToMilli(quantity: Quantity): Quantity {
  const step = nanoPerUnit / 1000n;
  const rest = quantity.nano % step;
  if (rest === 0n) return quantity;
  return { format: quantity.format, nano: quantity.nano > 0n ? quantity.nano - rest + step : quantity.nano - rest - step };
}

export const zeroQuantity: Quantity = { nano: 0n, format: "decimal" };

/** The quantity of a validated value; zero for anything else. */
export function quantityOf(value: unknown): Quantity {
  const parsed = parseQuantity(value);
  return typeof parsed === "string" ? zeroQuantity : parsed;
}

/** A sum has the format of its first summand that is not zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

export function wholeQuantity(count: number | bigint): Quantity {
  return { nano: BigInt(count) * nanoPerUnit, format: "decimal" };
}

/** Rounded up to whole units, as Quantity.Value() does. */
export function unitsOf({ nano }: Quantity): bigint {
  const rest = nano % nanoPerUnit;
  return nano / nanoPerUnit + (rest > 0n ? 1n : 0n);
}

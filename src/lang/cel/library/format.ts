import { convertToString } from "../convert.ts";
import { fail } from "../failure.ts";
import type { Meter } from "../meter.ts";
import { compareCodePoints } from "../equal.ts";
import { ListValue, MapValue, CelDuration, CelTimestamp, typeNameOf, TypeValue, Uint, type CelValue } from "../value.ts";

/** `text.format(args)`. Models cel-go ext/formatting.go parseFormatString */
export function formatText(text: string, args: ListValue, meter: Meter): string {
  const parts: string[] = [];
  let [at, next] = [0, 0];
  for (let found = text.indexOf("%"); found >= 0; found = text.indexOf("%", at)) {
    parts.push(text.slice(at, found));
    if (text[found + 1] === "%") {
      parts.push("%");
      at = found + 2;
      continue;
    }
    if (next >= args.size) return fail(`index ${next} out of range`);
    if (found + 1 >= text.length) return fail("unexpected end of string");
    const { clause, precision, end } = clauseAt(text, found + 1);
    const formatted = formatClause(clause, precision, args.at(next++), meter);
    meter.admit(formatted.length);
    parts.push(formatted);
    at = end;
  }
  parts.push(text.slice(at));
  meter.admit(parts.reduce((size, part) => size + part.length, 0));
  return parts.join("");
}

/** Parses the formatting clause after a percent sign. */
export function clauseAt(
  text: string,
  start: number,
): { readonly clause: string; readonly precision: number | undefined; readonly end: number } {
  const found = /^(?:\.(\d*))?([^]?)/u.exec(text.slice(start, start + 24)) ?? ["", undefined, ""];
  const [whole, digits, clause = ""] = found;
  const broken = "could not parse formatting clause: error while parsing precision";
  if (digits !== undefined && clause === "") return fail(`${broken}: could not find end of precision specifier`);
  if (digits === "") return fail(`${broken}: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax`);
  return { clause, precision: digits === undefined ? undefined : Number(digits), end: start + whole.length };
}

function formatClause(clause: string, precision: number | undefined, value: CelValue, meter: Meter): string {
  switch (clause) {
    case "s":
      return plain(value, meter);
    case "d":
      return decimal(value);
    case "f":
      return fixed(value, precision ?? 6);
    case "e":
      return scientific(value);
    case "b":
      return typeof value === "boolean" ? String(Number(value)) : inBase(value, 2, "b");
    case "o":
      return inBase(value, 8, "o");
    case "x":
      return hex(value, meter);
    case "X":
      return hex(value, meter).toUpperCase();
    default:
      return fail(`could not parse formatting clause: unrecognized formatting clause "${clause}"`);
  }
}

const forTexts = "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps";
const forNumbers = { message: "decimal clause can only be used on integers", kinds: ["int", "uint"] };
const forHex = { message: "only integers, byte buffers, and strings can be formatted as hex", kinds: ["int", "uint", "string", "bytes"] };

/** The types that each clause takes, and its error message. */
export const clauseRules: Readonly<Record<string, { readonly message: string; readonly kinds: readonly string[] } | undefined>> = {
  s: { message: forTexts, kinds: "string bool bytes int uint double map list type duration timestamp null".split(" ") },
  d: forNumbers,
  f: { message: "fixed-point clause can only be used on doubles", kinds: ["double", "string"] },
  e: { message: "scientific clause can only be used on doubles", kinds: ["double", "string"] },
  b: { message: "only integers and bools can be formatted as binary", kinds: ["int", "uint", "bool"] },
  o: { message: "octal clause can only be used on integers", kinds: ["int", "uint"] },
  x: forHex,
  X: forHex,
};

function wrongType(clause: string, value: CelValue): never {
  return fail(`error during formatting: ${clauseRules[clause]?.message}, was given ${typeNameOf(value)}`);
}

function plain(value: CelValue, meter: Meter): string {
  if (value === null) return "null";
  if (value instanceof TypeValue) return value.name;
  if (value instanceof ListValue || value instanceof MapValue) return literal(value, meter);
  const isText =
    typeof value !== "object" ||
    value instanceof Uint ||
    value instanceof Uint8Array ||
    value instanceof CelTimestamp ||
    value instanceof CelDuration;
  return isText ? convertToString(value) : wrongType("s", value);
}

/** Formats a value inside a list or a map as a CEL literal. */
function literal(value: CelValue, meter: Meter): string {
  // Formatting takes longer than comparing.
  meter.step(50);
  if (typeof value === "string" || value instanceof Uint8Array) meter.admit(value.length);
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isFinite(value) ? value.toFixed(6) : JSON.stringify(convertToString(value));
  if (value instanceof Uint8Array) return `b${JSON.stringify(convertToString(value))}`;
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(convertToString(value))})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(convertToString(value))})`;
  if (value instanceof ListValue)
    return `[${Array.from({ length: value.size }, (_, index) => literal(value.at(index), meter)).join(", ")}]`;
  return value instanceof MapValue ? entries(value, meter) : plain(value, meter);
}

function entries(map: MapValue, meter: Meter): string {
  const pairs = map.keys().map((key) => [literal(key, meter), literal(map.find(key) ?? null, meter)] as const);
  return `{${pairs
    .toSorted(([left], [right]) => compareCodePoints(left, right))
    .map(([key, value]) => `${key}:${value}`)
    .join(", ")}}`;
}

function decimal(value: CelValue): string {
  if (typeof value === "bigint") return String(value);
  return value instanceof Uint ? String(value.value) : wrongType("d", value);
}

function doubleOf(value: CelValue, clause: string): number {
  if (typeof value === "number") return value;
  if (value === "NaN") return Number.NaN;
  if (value === "Infinity") return Number.POSITIVE_INFINITY;
  return value === "-Infinity" ? Number.NEGATIVE_INFINITY : wrongType(clause, value);
}

function special(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "∞" : "-∞";
}

/** Rounds half to even, as Go does. JavaScript's toFixed rounds half up. */
function roundedTo(value: number, places: number): string {
  const rounded = value.toFixed(places);
  const exact = value.toFixed(100);
  const end = exact.length - 100 + places;
  if (!/^50*$/.test(exact.slice(end)) || places === 100) return rounded;
  const truncated = exact.slice(0, end).replace(/\.$/, "");
  return Number(truncated.at(-1)) % 2 === 0 ? truncated : rounded;
}

/** cel-go's formatter writes English thousands separators. */
function fixed(value: CelValue, precision: number): string {
  const number = doubleOf(value, "f");
  if (!Number.isFinite(number)) return special(number);
  const [whole = "", fraction] = roundedTo(number, Math.min(precision, 100)).split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Always six digits: cel-go takes the precision for the width. */
function scientific(value: CelValue): string {
  const number = doubleOf(value, "e");
  if (!Number.isFinite(number)) return special(number);
  const [digits = "", exponent = ""] = number.toExponential(6).split("e");
  const raised = [...exponent.replace(/^[+-]/, "").padStart(2, "0")].map((digit) => superscripts[Number(digit)]).join("");
  return `${digits}×10${exponent.startsWith("-") ? "⁻" : ""}${raised}`;
}

function inBase(value: CelValue, base: number, clause: string): string {
  if (typeof value === "bigint") return value.toString(base);
  return value instanceof Uint ? value.value.toString(base) : wrongType(clause, value);
}

function hex(value: CelValue, meter: Meter): string {
  if (typeof value === "string" || value instanceof Uint8Array) meter.step(value.length);
  const bytes = typeof value === "string" ? new TextEncoder().encode(value) : value;
  if (!(bytes instanceof Uint8Array)) return inBase(bytes, 16, "x");
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

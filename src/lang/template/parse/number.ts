import { quote } from "../print/quote.ts";
import type { NumberNode } from "./node.ts";
import { unquoteCharacter } from "./unquote.ts";

const maxInt = (1n << 63n) - 1n;
const maxUint = (1n << 64n) - 1n;

type NumberReadings = Omit<NumberNode, "type" | "pos" | "text">;

const nothing: NumberReadings = { int: undefined, uint: undefined, float: undefined, complex: undefined };

/** A plain integer has one reading. */
const plainInteger = /^(?:0|[1-9]\d{0,14})$/;

/** Parses a number in every type that its text allows, or returns the error. Models parse.Tree.newNumber. */
export function readNumber(text: string, type: "charConstant" | "complex" | "number"): NumberReadings | string {
  if (plainInteger.test(text)) return { ...nothing, int: BigInt(text), uint: BigInt(text), float: Number(text) };
  if (type === "charConstant") return readCharacter(text);
  if (type === "complex") return readComplex(text);
  if (text.endsWith("i")) {
    const imaginary = parseFloatText(text.slice(0, -1));
    if (imaginary !== undefined) return simplified(0, imaginary);
  }
  return readReal(text);
}

function readCharacter(text: string): NumberReadings | string {
  const read = unquoteCharacter(text);
  if (read === undefined) return "invalid syntax";
  if (read.rest !== "'") return `malformed character constant: ${text}`;
  return { ...nothing, int: BigInt(read.point), uint: BigInt(read.point), float: read.point };
}

function readComplex(text: string): NumberReadings | string {
  const split = Math.max(text.lastIndexOf("+"), text.lastIndexOf("-"));
  const after = /[eEpP]$/.test(text.slice(0, split)) ? Math.max(text.lastIndexOf("+", split - 1), text.lastIndexOf("-", split - 1)) : split;
  const real = parseFloatText(text.slice(0, after));
  const imaginary = parseFloatText(text.slice(after, -1));
  if (real === undefined || imaginary === undefined) return "syntax error scanning complex number";
  return simplified(real, imaginary);
}

function simplified(real: number, imaginary: number): NumberReadings {
  const complex = { real, imaginary };
  if (imaginary !== 0) return { ...nothing, complex };
  return { complex, float: real, int: exactInt(real), uint: exactUint(real) };
}

function readReal(text: string): NumberReadings | string {
  const amount = parseBigInteger(text);
  const sign = /^[+-]/.test(text);
  const int = amount !== undefined && amount >= -maxInt - 1n && amount <= maxInt ? amount : undefined;
  const isUint = amount !== undefined && amount >= 0n && amount <= maxUint && (!sign || amount === 0n);
  if (int !== undefined) return { ...nothing, int, uint: isUint ? amount : undefined, float: Number(int) };
  if (isUint) return { ...nothing, uint: amount, float: Number(amount) };
  const float = parseFloatText(text);
  if (float === undefined) return `illegal number syntax: ${quote(text)}`;
  if (!/[.eEpP]/.test(text)) return `integer overflow: ${quote(text)}`;
  return { ...nothing, float, int: exactInt(float), uint: exactUint(float) };
}

function exactInt(value: number): bigint | undefined {
  return Number.isInteger(value) && value >= -(2 ** 63) && value < 2 ** 63 ? BigInt(value) : undefined;
}

function exactUint(value: number): bigint | undefined {
  return Number.isInteger(value) && value >= 0 && value < 2 ** 64 ? BigInt(value) : undefined;
}

/** Models strconv.ParseInt with base 0, without a size limit; undefined on error. */
function parseBigInteger(text: string): bigint | undefined {
  const found =
    /^([+-]?)(?:0[xX](_?[0-9a-fA-F][0-9a-fA-F_]*)|0[bB](_?[01][01_]*)|0[oO](_?[0-7][0-7_]*)|0(_?[0-7][0-7_]*)|(0|[1-9][0-9_]*))$/.exec(
      text,
    );
  if (found === null || text.includes("__") || text.endsWith("_")) return undefined;
  const [, sign, hex, binary, octal, oldOctal, decimal] = found;
  const prefix = hex !== undefined ? "0x" : binary !== undefined ? "0b" : decimal !== undefined ? "" : "0o";
  const digits = (hex ?? binary ?? octal ?? oldOctal ?? decimal ?? "").replaceAll("_", "");
  const amount = BigInt(prefix + digits);
  return sign === "-" ? -amount : amount;
}

/** Models strconv.ParseFloat; undefined on error, which includes overflow. */
function parseFloatText(text: string): number | undefined {
  const digit = /^[+-]?0[xX]/.test(text) ? "0-9a-fA-FxX" : "0-9";
  if (new RegExp(`(?:^|[^${digit}])_|_(?:$|[^${digit}])|[xX]_[xX]`).test(text)) return undefined;
  const plain = text.replaceAll("_", "");
  if (/^[+-]?0[xX]/.test(plain)) return parseHexFloat(plain);
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

function parseHexFloat(text: string): number | undefined {
  const found = /^([+-]?)0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)$/.exec(text);
  if (found === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = ""] = found;
  if (whole + fraction === "") return undefined;
  const mantissa = Number(BigInt(`0x${whole}${fraction}`));
  const value = mantissa * 2 ** (Number(exponent) - 4 * fraction.length);
  if (!Number.isFinite(value)) return undefined;
  return sign === "-" ? -value : value;
}

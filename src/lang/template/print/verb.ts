import { charge } from "../../../core/cost/index.ts";
import { sliceBytes, toBytes } from "../value/index.ts";
import { formatFloat, type FloatVerb } from "./float.ts";
import { canBackquote, isPrintable, isRune, quote, quoteRune } from "./quote.ts";

/** Flags, width and precision of a verb, as in `%-8.3f`. */
export type Flags = {
  readonly minus: boolean;
  plus: boolean;
  sharp: boolean;
  readonly space: boolean;
  zero: boolean;
  /** `%+v` and `%#v` are separate modes. */
  plusV: boolean;
  sharpV: boolean;
  readonly width: number | undefined;
  readonly precision: number | undefined;
};

export const noFlags: Flags = {
  minus: false,
  plus: false,
  sharp: false,
  space: false,
  zero: false,
  plusV: false,
  sharpV: false,
  width: undefined,
  precision: undefined,
};

/** Pads to the width, with zeros if the flags say so. */
export function pad(text: string, flags: Flags, zero: boolean = flags.zero): string {
  const { width, minus } = flags;
  if (width === undefined || width === 0) return text;
  const missing = width - runeCount(text);
  if (missing <= 0) return text;
  charge(missing);
  return minus ? text + " ".repeat(missing) : (zero ? "0" : " ").repeat(missing) + text;
}

function runeCount(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function truncated(text: string, { precision }: Flags): string {
  if (precision === undefined || text.length <= precision) return text;
  return [...text].slice(0, precision).join("");
}

export function formatString(text: string, flags: Flags): string {
  return pad(truncated(text, flags), flags);
}

export function formatQuoted(text: string, flags: Flags): string {
  const short = truncated(text, flags);
  if (flags.sharp && canBackquote(short)) return pad(`\`${short}\``, flags);
  return pad(quote(short, { ascii: flags.plus }), flags);
}

/** `%x` of a string or of bytes. */
export function formatHex(bytes: Uint8Array, flags: Flags, upper: boolean): string {
  const shown = flags.precision === undefined ? bytes : bytes.subarray(0, flags.precision);
  const prefix = flags.sharp ? (upper ? "0X" : "0x") : "";
  const lower = Buffer.from(shown.buffer, shown.byteOffset, shown.length).toString("hex");
  const digits = upper ? lower.toUpperCase() : lower;
  const text = flags.space ? digits.replaceAll(/../g, ` ${prefix}$&`).slice(1) : digits === "" ? "" : prefix + digits;
  return pad(text, flags);
}

/** `%x` of a string. */
export function formatTextHex(text: string, flags: Flags, upper: boolean): string {
  return formatHex(toBytes(flags.precision === undefined ? text : sliceBytes(text, 0, flags.precision)), flags, upper);
}

/** Formats an integer in a base. The flag `#` and the verb O add a prefix. */
export function formatInteger(value: number | bigint, base: 2 | 8 | 10 | 16, verb: string, flags: Flags): string {
  const negative = value < 0;
  const size = negative ? -value : value;
  if (flags.precision === 0 && Number(size) === 0) return pad("", flags, false);
  let digits = size.toString(base);
  if (verb === "X") digits = digits.toUpperCase();
  digits = digits.padStart(leastDigits(flags, negative), "0");
  if (flags.sharp) digits = sharpPrefix(digits, base, verb) + digits;
  if (verb === "O") digits = `0o${digits}`;
  const sign = negative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  return pad(sign + digits, flags, false);
}

function leastDigits(flags: Flags, negative: boolean): number {
  if (flags.precision !== undefined) return flags.precision;
  if (!flags.zero || flags.minus || flags.width === undefined) return 0;
  return flags.width - (negative || flags.plus || flags.space ? 1 : 0);
}

function sharpPrefix(digits: string, base: number, verb: string): string {
  if (base === 2) return "0b";
  if (base === 8) return digits.startsWith("0") ? "" : "0";
  return base === 16 ? (verb === "X" ? "0X" : "0x") : "";
}

/** `%c` and `%q` of an integer. */
export function formatCharacter(value: number | bigint, verb: "c" | "q", flags: Flags): string {
  const point = typeof value === "number" && isRune(value) ? value : 0xfffd;
  return pad(verb === "c" ? String.fromCodePoint(point) : quoteRune(point, { ascii: flags.plus }), flags);
}

/** `%U` of an integer. */
export function formatUnicode(value: number | bigint, flags: Flags): string {
  const amount = BigInt.asUintN(64, BigInt(value));
  const digits = amount
    .toString(16)
    .toUpperCase()
    .padStart(Math.max(4, flags.precision ?? 0), "0");
  const shown = flags.sharp && amount <= 0x10ffffn && isPrintable(Number(amount));
  return pad(`U+${digits}${shown ? ` '${String.fromCodePoint(Number(amount))}'` : ""}`, flags, false);
}

/** Formats a float. `precision` is the default. */
export function formatReal(value: number, verb: FloatVerb, precision: number, flags: Flags, bits: 32 | 64): string {
  const wanted = flags.precision ?? precision;
  let text = formatFloat(value, verb, wanted, bits);
  if (!/^[+-]/.test(text)) text = `+${text}`;
  if (flags.space && text.startsWith("+") && !flags.plus) text = ` ${text.slice(1)}`;
  if (/^.[IN]/.test(text)) return pad(text[1] === "N" && !flags.space && !flags.plus ? "NaN" : text, flags, false);
  if (flags.sharp && verb !== "b") text = withPoint(text, verb, wanted);
  if (!flags.plus && text.startsWith("+")) return pad(text.slice(1), flags);
  if (flags.zero && !flags.minus && flags.width !== undefined && flags.width > text.length) {
    return text.slice(0, 1) + text.slice(1).padStart(flags.width - 1, "0");
  }
  return pad(text, flags);
}

/** `%#g` keeps the decimal point and trailing zeros. */
function withPoint(text: string, verb: FloatVerb, precision: number): string {
  const keepsZeros = verb === "g" || verb === "G" || verb === "x";
  let missing = keepsZeros ? (precision === -1 ? 6 : precision) : 0;
  const isHex = verb === "x" || verb === "X";
  const cut = text.slice(1).search(isHex ? /[pP]/ : /[eEpP]/) + 1;
  const tail = cut > 0 ? text.slice(cut) : "";
  let number = cut > 0 ? text.slice(0, cut) : text;
  const significant = /[^0.].*/.exec(number.slice(1))?.[0].replace(".", "") ?? "";
  missing -= significant.length;
  if (!number.includes(".")) {
    if (number.length === 2 && number[1] === "0") missing--;
    number += ".";
  }
  return number + "0".repeat(Math.max(missing, 0)) + tail;
}

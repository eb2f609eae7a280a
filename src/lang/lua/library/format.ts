import { allocateString, raise } from "../run/machine.ts";
import { type Arguments, argError, numberArg, stringArg, anyArg } from "./argument.ts";
import { textOfValue } from "./tostring.ts";
import { exponential, fixed, general, specialText } from "./number-text.ts";

type Directive = { readonly flags: string; readonly width: number; readonly precision: number | undefined; readonly conversion: string };

const directive = /%([-+ #0]*)(\d*)(?:\.(\d*))?(.?)/gs;

/** `string.format`. */
export function format(args: Arguments): string {
  const template = stringArg(args, 1);
  let position = 1;
  return template.replace(directive, (all: string, flags: string, width: string, precision: string | undefined, conversion: string) => {
    if (conversion === "%" && all === "%%") return "%";
    position += 1;
    if (position > args.length) argError(position, "no value");
    if (flags.length > 5) raise("invalid format (repeated flags)");
    if (width.length > 2 || (precision ?? "").length > 2) raise("invalid format (width or precision too long)");
    const piece = formatted(args, position, {
      flags,
      width: Number(width),
      precision: precision === undefined ? undefined : Number(precision),
      conversion,
    });
    allocateString(piece.length);
    return piece;
  });
}

function formatted(args: Arguments, position: number, how: Directive): string {
  switch (how.conversion) {
    case "c":
      return padded(String.fromCharCode(numberArg(args, position) & 0xff), how, false);
    case "d":
    case "i":
      return integer(numberArg(args, position), how);
    case "u":
    case "o":
    case "x":
    case "X":
      return unsigned(numberArg(args, position), how);
    case "e":
    case "E":
    case "f":
    case "g":
    case "G":
      return real(numberArg(args, position), how);
    case "q":
      return quoted(stringArg(args, position));
    case "s":
      return text(args, position, how);
    default:
      return raise(`invalid option '%${how.conversion}' to 'format'`);
  }
}

/** Lua 5.1 accepts strings and numbers only; gopher-lua accepts any value. */
function text(args: Arguments, position: number, how: Directive): string {
  const value = textOfValue(anyArg(args, position));
  return padded(how.precision === undefined ? value : value.slice(0, how.precision), { ...how, flags: how.flags.replace("0", "") }, false);
}

function integer(value: number, how: Directive): string {
  const whole = toInt64(value);
  const digits = zeroPadded((whole < 0n ? -whole : whole).toString(), how.precision);
  return padded(signed(digits, whole < 0n, how.flags), how, how.precision === undefined);
}

function unsigned(value: number, how: Directive): string {
  const whole = BigInt.asUintN(64, toInt64(value));
  const base = how.conversion === "o" ? 8 : how.conversion === "u" ? 10 : 16;
  let digits = zeroPadded(whole.toString(base), how.precision);
  if (how.flags.includes("#")) {
    if (base === 8 && !digits.startsWith("0")) digits = `0${digits}`;
    if (base === 16 && whole !== 0n) digits = `0x${digits}`;
  }
  return padded(how.conversion === "X" ? digits.toUpperCase() : digits, how, how.precision === undefined);
}

/** Casts a number to a 64-bit integer as x86-64 does: out of range gives the minimum. */
function toInt64(value: number): bigint {
  const whole = Math.trunc(value);
  return whole >= -(2 ** 63) && whole < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

function zeroPadded(digits: string, precision: number | undefined): string {
  if (precision === 0 && digits === "0") return "";
  return digits.padStart(precision ?? 0, "0");
}

function real(value: number, how: Directive): string {
  const { conversion, flags } = how;
  const digits = how.precision ?? 6;
  const kind = conversion.toLowerCase();
  const size = Math.abs(value);
  let text = kind === "f" ? fixed(size, digits) : kind === "e" ? exponential(size, digits) : general(size, digits, flags.includes("#"));
  if (flags.includes("#") && !text.includes(".") && specialText(size) === undefined) text = text.replace(/^\d+/, "$&.");
  const result = signed(text, value < 0 || Object.is(value, -0), flags);
  return padded(conversion === kind ? result : result.toUpperCase(), how, specialText(value) === undefined);
}

function signed(digits: string, negative: boolean, flags: string): string {
  if (negative) return `-${digits}`;
  return flags.includes("+") ? `+${digits}` : flags.includes(" ") ? ` ${digits}` : digits;
}

function padded(text: string, { flags, width }: Directive, zeros: boolean): string {
  if (text.length >= width) return text;
  if (flags.includes("-")) return text.padEnd(width);
  if (!zeros || !flags.includes("0")) return text.padStart(width);
  const [prefix = ""] = /^[-+ ]?(?:0[xX])?/.exec(text) ?? [];
  return prefix + text.slice(prefix.length).padStart(width - prefix.length, "0");
}

function quoted(text: string): string {
  const escaped = text.replace(/["\\\n\r\0]/g, (char) => (char === "\r" ? "\\r" : char === "\0" ? "\\000" : `\\${char}`));
  return `"${escaped}"`;
}

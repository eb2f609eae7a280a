import { int64, type GoValue } from "../../lang/template/index.ts";

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** Parses a decimal 64-bit integer. Undefined when it is none. */
export function readInteger(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value < least || value > most ? undefined : value;
}

/** Converts a `--set` value: a boolean, null, an integer without leading zero, or else a string (`1.5` too). */
export function typedValue(text: string): GoValue {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  if (lower === "null") return null;
  if (text !== "0" && text.startsWith("0")) return text;
  const integer = readInteger(text);
  return integer === undefined ? text : int64(integer);
}

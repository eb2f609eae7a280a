import { int64, type GoValue } from "../../lang/template/index.ts";

const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];

/** An integer of 64 bits in decimal digits; nothing if it is none. */
export function readInteger(text: string): bigint | undefined {
  if (!/^[-+]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace("+", ""));
  return value < least || value > most ? undefined : value;
}

/** What a `--set` value is: a boolean, null, an integer that has no leading zero, or a text, `1.5` included. */
export function typedValue(text: string): GoValue {
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  if (lower === "null") return null;
  if (text !== "0" && text.startsWith("0")) return text;
  const integer = readInteger(text);
  return integer === undefined ? text : int64(integer);
}

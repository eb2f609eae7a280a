import { isTimestamp } from "../scalar.ts";

/** The type of a scalar in go-yaml; `uint` is an integer beyond 63 bits. */
export type ScalarKind = "null" | "bool" | "int" | "uint" | "float" | "str" | "timestamp";

/** A resolved scalar. Integers that a number cannot hold are bigints. */
export type ResolvedScalar = { readonly kind: ScalarKind; readonly value: string | number | bigint | boolean | null };

export const nullScalar: ResolvedScalar = { kind: "null", value: null };

const words: ReadonlyMap<string, ResolvedScalar> = new Map<string, ResolvedScalar>([
  ...each(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], { kind: "bool", value: true }),
  ...each(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], { kind: "bool", value: false }),
  ...each(["", "~", "null", "Null", "NULL"], { kind: "null", value: null }),
  ...each([".nan", ".NaN", ".NAN"], { kind: "float", value: Number.NaN }),
  ...each([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], { kind: "float", value: Infinity }),
  ...each(["-.inf", "-.Inf", "-.INF"], { kind: "float", value: -Infinity }),
]);

function each(texts: readonly string[], resolved: ResolvedScalar): [string, ResolvedScalar][] {
  return texts.map((text) => [text, resolved]);
}

/** Hints by first character for scalars that may not be strings. */
const hints = new Uint8Array(128);
const wordHint = 1;
const numberHint = 2;
const dotHint = 3;
for (const letter of "yYnNtTfFoO~\0") hints[letter.charCodeAt(0)] = wordHint;
for (const letter of "0123456789+-") hints[letter.charCodeAt(0)] = numberHint;
hints[".".charCodeAt(0)] = dotHint;
/** The longest word that is not a string. */
const longestWord = 5;

/**
 * Resolves the plain scalar between two offsets; undefined for a string, the common case. Models go.yaml.in/yaml/v2 resolve.go:
 * YAML 1.1 without base 60.
 */
export function resolveScalarRange(text: string, from: number, to: number): ResolvedScalar | undefined {
  if (from === to) return words.get("");
  const first = text.charCodeAt(from);
  const hint = first < 128 ? hints[first]! : 0;
  if (hint === 0) return undefined;
  if (hint === wordHint) return to - from > longestWord ? undefined : words.get(text.slice(from, to));
  return resolveText(text.slice(from, to), hint);
}

export function resolveScalar(text: string): ResolvedScalar | undefined {
  return resolveScalarRange(text, 0, text.length);
}

function resolveText(text: string, hint: number): ResolvedScalar | undefined {
  const word = text.length > longestWord ? undefined : words.get(text);
  if (word !== undefined) return word;
  if (hint === dotHint) return /^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/.test(text) ? floatOf(text.replaceAll("_", "")) : undefined;
  if (/^[1-9]\d{0,14}$/.test(text)) return { kind: "int", value: Number(text) };
  // Only uncommon forms get here, and timestamps have a syntax of their own.
  if (isTimestamp(text)) return { kind: "timestamp", value: text };
  const plain = text.replaceAll("_", "");
  return integerFrom(plain) ?? (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(plain) ? floatOf(plain) : signedBinary(plain));
}

/** Parses an integer: decimal, or with a prefix 0x, 0o or 0b; a leading 0 means octal. Undefined beyond 64 bits. */
function integerFrom(text: string): ResolvedScalar | undefined {
  const [, sign, digits] = /^([-+]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits);
  return integerOf(sign === "-" ? -magnitude : magnitude, sign === "");
}

function integerOf(value: bigint, isUnsigned: boolean): ResolvedScalar | undefined {
  const fits = value >= -(2n ** 63n) && value < 2n ** 63n;
  if (!fits && !(isUnsigned && value >= 0n && value < 2n ** 64n)) return undefined;
  const number = Number(value);
  return { kind: fits ? "int" : "uint", value: Number.isSafeInteger(number) ? number : value };
}

/** A quirk of go-yaml: a sign is allowed after `0b`. */
function signedBinary(text: string): ResolvedScalar | undefined {
  const [, sign, digits] = /^0b([-+])([01]+)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const magnitude = BigInt(`0b${digits}`);
  return integerOf(sign === "-" ? -magnitude : magnitude, false);
}

function floatOf(text: string): ResolvedScalar | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? { kind: "float", value } : undefined;
}

import { integerOf, type ExactInteger } from "../object/index.ts";

/** What a plain scalar stands for. Infinity and NaN are among it, though JSON cannot say them. */
export type Scalar = string | number | boolean | null | ExactInteger;

const words: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ...each(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], true),
  ...each(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], false),
  ...each(["", "~", "null", "Null", "NULL"], null),
  ...each([".nan", ".NaN", ".NAN"], Number.NaN),
  ...each([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], Infinity),
  ...each(["-.inf", "-.Inf", "-.INF"], -Infinity),
]);

function each(texts: readonly string[], value: Scalar): [string, Scalar][] {
  return texts.map((text) => [text, value]);
}

/**
 * What a plain scalar means to go-yaml v2, which is YAML 1.1 without base 60 and without dates: those stay strings.
 * Models go.yaml.in/yaml/v2 resolve.go.
 */
export function resolvePlain(text: string): Scalar {
  const first = text.charCodeAt(0);
  if (isDigit(first) || first === plus || first === minus) return words.get(text) ?? resolveNumber(text.replaceAll("_", "")) ?? text;
  const word = words.get(text);
  if (word !== undefined) return word;
  if (first === dot && /^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/.test(text)) return finite(text.replaceAll("_", "")) ?? text;
  return text;
}

const plus = 0x2b;
const minus = 0x2d;
const dot = 0x2e;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function resolveNumber(text: string): number | ExactInteger | undefined {
  return resolveInteger(text) ?? (/^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/.test(text) ? finite(text) : undefined);
}

/** Decimal, or with a prefix 0x, 0o, 0b; a leading 0 alone means octal. Beyond 64 bits it is no integer any more. */
function resolveInteger(text: string): number | ExactInteger | undefined {
  if (/^-?[1-9]\d{0,14}$/.test(text)) return Number(text);
  const [, sign, digits] = /^([-+]?)(0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|0[0-7]*|[1-9]\d*)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const magnitude = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits}` : digits);
  const value = sign === "-" ? -magnitude : magnitude;
  const fits = sign === "" ? value < 2n ** 64n : value >= -(2n ** 63n) && value < 2n ** 63n;
  return fits ? integerOf(value) : undefined;
}

function finite(text: string): number | undefined {
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/** Dates that go-yaml takes for timestamps when it decides whether to quote a string. */
export function isTimestamp(text: string): boolean {
  const [, year, month, day, clock] =
    /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt ](\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d*)?)(?:Z|[-+]\d\d:\d\d)?)?$/.exec(text) ?? [];
  if (year === undefined || Number(month) < 1 || Number(month) > 12) return false;
  const daysInMonth = new Date(Date.UTC(2000 + (Number(year) % 400), Number(month), 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > daysInMonth) return false;
  if (clock === undefined) return /^\d{4}-\d{1,2}-\d{1,2}$/.test(text);
  const [hours = 0, minutes = 0, seconds = 0] = clock.split(":").map((part) => Math.floor(Number.parseFloat(part)));
  const zone = /(?:Z|[-+]\d\d:\d\d)$/.test(text);
  return hours < 24 && minutes < 60 && seconds < 60 && !/[.,]$/.test(clock) && zone !== text.includes(" ");
}

/** A float as Go's strconv prints it in the shortest way that reads back, for 32 or 64 bits. */
export function floatText(value: number, bits: 32 | 64): string {
  if (Object.is(value, -0)) return "-0";
  const [mantissa = "0", exponent = "0"] = shortest(value, bits).split("e");
  const power = Number(exponent);
  const digits = mantissa.replace("-", "").replace(".", "");
  if (power < -4 || power >= 6) {
    return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  const sign = mantissa.startsWith("-") ? "-" : "";
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const whole = digits.slice(0, power + 1).padEnd(power + 1, "0");
  const rest = digits.slice(power + 1);
  return sign + whole + (rest === "" ? "" : `.${rest}`);
}

function shortest(value: number, bits: 32 | 64): string {
  if (bits === 64) return value.toExponential();
  for (let precision = 0; precision < 9; precision++) {
    const text = Math.fround(value).toExponential(precision);
    if (Math.fround(Number(text)) === Math.fround(value)) return text;
  }
  return Math.fround(value).toExponential(9);
}
